// Hangs in every run, whatever the schedule, also without snarl.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  return pthread_join(thread, NULL);
}
