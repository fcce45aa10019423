// snarl: correct
// Timed locks of all kinds of mutexes: what can be had at once is had whatever the time says; what
// can't times out, not before its time.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static int successes;

static struct timespec in_hours(clockid_t id, int hours) {
  struct timespec t;
  assert(clock_gettime(id, &t) == 0);
  t.tv_sec += 3600 * hours;
  return t;
}

static int has_come(clockid_t id, const struct timespec* time) {
  struct timespec t;
  assert(clock_gettime(id, &t) == 0);
  return t.tv_sec > time->tv_sec || (t.tv_sec == time->tv_sec && t.tv_nsec >= time->tv_nsec);
}

static void lock_my_own(int type) {
  pthread_mutexattr_t attributes;
  pthread_mutex_t own;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutex_init(&own, &attributes);
  struct timespec hour = in_hours(CLOCK_REALTIME, 1), past = {.tv_sec = 1}, invalid = {.tv_nsec = -1};
  assert(pthread_mutex_timedlock(&own, &hour) == 0);
  const int again = pthread_mutex_timedlock(&own, &past);
  assert(again == (type == PTHREAD_MUTEX_RECURSIVE ? 0 : type == PTHREAD_MUTEX_ERRORCHECK ? EDEADLK : ETIMEDOUT));
  if (type == PTHREAD_MUTEX_RECURSIVE) pthread_mutex_unlock(&own);
  const int bad = pthread_mutex_timedlock(&own, &invalid);
  assert(bad == (type == PTHREAD_MUTEX_RECURSIVE ? 0 : type == PTHREAD_MUTEX_ERRORCHECK ? EDEADLK : EINVAL));
  if (type == PTHREAD_MUTEX_RECURSIVE) pthread_mutex_unlock(&own);
  assert(pthread_mutex_unlock(&own) == 0);
  assert(pthread_mutex_timedlock(&own, &past) == 0);  // free: the time does not matter
  assert(pthread_mutex_unlock(&own) == 0);
  assert(pthread_mutex_destroy(&own) == 0);
}

static void* work(void* arg) {
  (void)arg;
  lock_my_own(PTHREAD_MUTEX_NORMAL);
  lock_my_own(PTHREAD_MUTEX_RECURSIVE);
  lock_my_own(PTHREAD_MUTEX_ERRORCHECK);
  struct timespec until = in_hours(CLOCK_MONOTONIC, 2);
  assert(pthread_mutex_clocklock(&held, CLOCK_MONOTONIC, &until) == ETIMEDOUT);  // main never gives it back
  assert(has_come(CLOCK_MONOTONIC, &until));
  until = in_hours(CLOCK_REALTIME, 1);
  const int error = pthread_mutex_timedlock(&shared, &until);
  if (error == 0) {
    ++successes;
    pthread_mutex_unlock(&shared);
  } else {
    assert(error == ETIMEDOUT && has_come(CLOCK_REALTIME, &until));
  }
  return NULL;
}

int main(void) {
  pthread_mutex_lock(&held);
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_mutex_lock(&shared);
  ++successes;
  pthread_mutex_unlock(&shared);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(successes >= 1 && successes <= 3);
  pthread_mutex_unlock(&held);
}
