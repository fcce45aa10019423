// A thread spins on a plain variable, without any call, until the other thread sets it: passes if the
// watchdog makes it give way in time.
#include <pthread.h>

static volatile int set;

static void* spinner(void* arg) {
  while (!set) {
  }
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, spinner, NULL);
  set = 1;
  pthread_join(thread, NULL);
  return 0;
}
