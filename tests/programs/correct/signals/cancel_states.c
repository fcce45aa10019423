// snarl: correct serial
// When a request for cancellation is acted on: not while that is disabled, with the deferred type only at
// cancellation points, with the asynchronous one at once; never twice.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t asked, ready;
static int done, cleanups;

static void count(void* arg) {
  (void)arg;
  ++cleanups;
  sleep(1);  // a cancellation point; this thread is cancelled already
  pthread_testcancel();
  ++cleanups;
}

static void* disabled(void* arg) {
  int old = -1;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  sem_wait(&asked);
  usleep(10);
  pthread_testcancel();
  done = 1;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
  pthread_mutex_lock(&mutex);  // no cancellation point
  pthread_mutex_unlock(&mutex);
  done = 2;
  pthread_cleanup_push(count, NULL);
  pthread_testcancel();
  pthread_cleanup_pop(0);
  return arg;
}

static void* anywhere(void* arg) {
  int old = -1;
  pthread_cleanup_push(count, NULL);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
  sem_post(&ready);
  pthread_mutex_lock(&mutex);  // main holds it: only a cancelled thread gets further
  pthread_cleanup_pop(0);
  return arg;
}

static void* computes(void* arg) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  sem_post(&ready);
  sem_wait(&asked);
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  pthread_cleanup_push(count, NULL);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);  // here
  assert(!"cancelled");
  pthread_cleanup_pop(0);
  return arg;
}

static void* itself(void* arg) {
  assert(pthread_cancel(pthread_self()) == 0);
  done = 3;
  sleep(1);
  assert(!"cancelled");
  return arg;
}

static void* too_early(void* arg) {
  done = 4;
  return arg;  // reaches no cancellation point
}

static void* result_of(pthread_t thread) {
  void* result = NULL;
  assert(pthread_join(thread, &result) == 0);
  return result;
}

int main(void) {
  pthread_t thread;
  sem_init(&asked, 0, 0);
  sem_init(&ready, 0, 0);

  pthread_create(&thread, NULL, disabled, NULL);
  pthread_cancel(thread);
  pthread_cancel(thread);
  sem_post(&asked);
  assert(result_of(thread) == PTHREAD_CANCELED && done == 2 && cleanups == 2);

  pthread_mutex_lock(&mutex);
  pthread_create(&thread, NULL, anywhere, NULL);
  sem_wait(&ready);
  pthread_cancel(thread);
  assert(result_of(thread) == PTHREAD_CANCELED && cleanups == 4);
  pthread_mutex_unlock(&mutex);

  pthread_create(&thread, NULL, computes, NULL);
  sem_wait(&ready);
  pthread_cancel(thread);
  sem_post(&asked);
  assert(result_of(thread) == PTHREAD_CANCELED && cleanups == 6);

  pthread_create(&thread, NULL, itself, NULL);
  assert(result_of(thread) == PTHREAD_CANCELED && done == 3);

  pthread_create(&thread, NULL, too_early, &mutex);
  pthread_cancel(thread);
  assert(result_of(thread) == &mutex && done == 4);
  return 0;
}
