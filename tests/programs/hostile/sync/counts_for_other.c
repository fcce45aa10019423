// A thread spins on a plain variable and counts its rounds, without any call, until the other thread sets it: to a
// watchdog it looks like work.
#include <pthread.h>

static volatile int set;
static volatile unsigned long rounds;

static void* spinner(void* arg) {
  while (!set) ++rounds;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, spinner, NULL);
  set = 1;
  pthread_join(thread, NULL);
  return 0;
}
