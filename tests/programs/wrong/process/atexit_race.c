// snarl: kind=assert depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// An exit handler closes the log while a detached worker, of whom main knows only that it has started, writes.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t started;
static int open_log = 1;

static void close_log(void) {
  pthread_mutex_lock(&mutex);
  open_log = 0;
  pthread_mutex_unlock(&mutex);
}

static void* work(void* arg) {
  sem_post(&started);
  pthread_mutex_lock(&mutex);
  assert(open_log);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t thread;
  atexit(close_log);
  sem_init(&started, 0, 0);
  pthread_create(&thread, NULL, work, NULL);
  pthread_detach(thread);
  sem_wait(&started);
  return 0;
}
