// snarl: kind=assert depth=2 policy=random within=500 policy=pct:depth=2 within=2000
// Whoever is told that the owner ended repairs the data, but unlocks without pthread_mutex_consistent: from
// then on the lock fails for everybody.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;

static void* ends_with_it(void* arg) {
  pthread_mutex_lock(&mutex);
  return arg;
}

static void* works(void* arg) {
  for (int i = 0; i < 2; ++i) {
    int error = pthread_mutex_lock(&mutex);
    assert(error == 0 || error == EOWNERDEAD);
    pthread_mutex_unlock(&mutex);
  }
  return arg;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, works, NULL);
  pthread_create(&threads[1], NULL, ends_with_it, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
