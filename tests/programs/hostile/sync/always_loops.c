// Two threads wait for each other by loops without a schedule point, whatever the schedule, also without snarl.
#include <pthread.h>
#include <stddef.h>

static volatile int first, second;

static void* waits(void* arg) {
  while (!first) {
  }
  second = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waits, NULL);
  while (!second) {
  }
  first = 1;
  return pthread_join(thread, NULL);
}
