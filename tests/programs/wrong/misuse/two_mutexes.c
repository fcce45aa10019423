// snarl: kind=condvar_two_mutexes depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// Readers and writers share a condition variable, but each have a mutex of their own.
#include <pthread.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void* wait_for_change(void* lock) {
  struct timespec late = {2000000000, 0};
  pthread_mutex_lock(lock);
  pthread_cond_timedwait(&changed, lock, &late);
  pthread_mutex_unlock(lock);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, wait_for_change, &locks[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
