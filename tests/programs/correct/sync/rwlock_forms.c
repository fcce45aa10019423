// snarl: correct
// All forms and kinds of read-write locks, and what they return.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock;
static pthread_mutex_t own_value = PTHREAD_MUTEX_INITIALIZER;
static int first, second, reads;

static struct timespec in_an_hour(clockid_t id) {
  struct timespec t;
  assert(clock_gettime(id, &t) == 0);
  t.tv_sec += 3600;
  return t;
}

static void* write_both(void* arg) {
  (void)arg;
  struct timespec past = {.tv_sec = 1}, invalid = {.tv_nsec = -1};
  pthread_rwlock_wrlock(&lock);
  assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
  assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
  assert(pthread_rwlock_timedwrlock(&lock, &past) == EDEADLK);
  assert(pthread_rwlock_timedrdlock(&lock, &invalid) == EINVAL);
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  ++first;
  pthread_mutex_lock(&own_value);  // a point, with the lock held
  pthread_mutex_unlock(&own_value);
  ++second;
  assert(pthread_rwlock_unlock(&lock) == 0);
  return NULL;
}

static void* read_both(void* arg) {
  struct timespec until = in_an_hour(CLOCK_REALTIME);
  int error = arg == NULL ? pthread_rwlock_rdlock(&lock) : pthread_rwlock_timedrdlock(&lock, &until);
  assert(error == 0 || (arg != NULL && error == ETIMEDOUT));
  if (error != 0) return NULL;
  assert(first == second);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  until = in_an_hour(CLOCK_MONOTONIC);
  assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &until) == ETIMEDOUT);  // our own read lock
  pthread_mutex_lock(&own_value);
  ++reads;
  pthread_mutex_unlock(&own_value);
  assert(first == second);
  assert(pthread_rwlock_unlock(&lock) == 0);
  return NULL;
}

int main(void) {
  const int kinds[] = {PTHREAD_RWLOCK_PREFER_READER_NP, PTHREAD_RWLOCK_PREFER_WRITER_NP,
                       PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP};
  for (int i = 0; i < 3; ++i) {
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, kinds[i]);
    assert(pthread_rwlock_init(&lock, &attributes) == 0);
    int timed = 1;
    pthread_t a, b, c;
    pthread_create(&a, NULL, write_both, NULL);
    pthread_create(&b, NULL, read_both, NULL);
    pthread_create(&c, NULL, read_both, &timed);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(first == i + 1 && second == i + 1);
    assert(pthread_rwlock_trywrlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_destroy(&lock) == 0);
  }
  assert(reads >= 3 && reads <= 6);
}
