// Fails in every run, whatever the schedule.
#include <pthread.h>

static void* work(void* arg) { return arg; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return 1;
}
