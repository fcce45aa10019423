// A timer whose function libc runs in a thread of its own.
#include <pthread.h>
#include <signal.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void tick(union sigval value) { (void)value; }

static void* work(void* arg) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = tick};
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return NULL;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  timer_delete(timer);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
