// snarl: correct
// Cancelled in the middle of a once routine (the next caller runs it again), as a detached thread, and as
// main, which another thread then joins.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t main_thread;
static sem_t running, never;
static int cleanups, begun;

static void count(void* arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  ++cleanups;
  pthread_mutex_unlock(&mutex);
}

static int counted(void) {
  pthread_mutex_lock(&mutex);
  const int result = cleanups;
  pthread_mutex_unlock(&mutex);
  return result;
}

static void initialise(void) {
  if (begun++ == 0) sem_wait(&never);
}

static void* initialises(void* arg) {
  pthread_once(&once, initialise);
  return arg;
}

static void* detached(void* arg) {
  pthread_cleanup_push(count, NULL);
  sem_post(&running);
  sem_wait(&never);
  pthread_cleanup_pop(0);
  return arg;
}

static void* outlives_main(void* arg) {
  void* result = arg;
  assert(pthread_cancel(main_thread) == 0);
  assert(pthread_join(main_thread, &result) == 0);
  assert(result == PTHREAD_CANCELED && counted() == 2);
  exit(0);
}

int main(void) {
  pthread_t thread;
  void* result;
  sem_init(&running, 0, 0);
  sem_init(&never, 0, 0);
  main_thread = pthread_self();

  pthread_create(&thread, NULL, initialises, NULL);
  pthread_cancel(thread);
  assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
  pthread_create(&thread, NULL, initialises, &running);
  assert(pthread_join(thread, &result) == 0 && result == &running && begun == 2);

  pthread_create(&thread, NULL, detached, NULL);
  pthread_detach(thread);
  sem_wait(&running);
  pthread_cancel(thread);
  while (counted() == 0) sched_yield();

  pthread_create(&thread, NULL, outlives_main, NULL);
  pthread_cleanup_push(count, NULL);
  for (;;) sleep(100);
  pthread_cleanup_pop(0);
}
