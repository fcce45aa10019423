// snarl: correct
// Timed condition waits against both clocks, in the usual loop: the answer comes, or the time is over.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wall = PTHREAD_COND_INITIALIZER, steady, nobody_signals;
static int answers;

static struct timespec in_a_week(clockid_t id) {
  struct timespec t;
  assert(clock_gettime(id, &t) == 0);
  t.tv_sec += 7 * 86400;
  return t;
}

static int has_come(clockid_t id, const struct timespec* time) {
  struct timespec t;
  assert(clock_gettime(id, &t) == 0);
  return t.tv_sec > time->tv_sec || (t.tv_sec == time->tv_sec && t.tv_nsec >= time->tv_nsec);
}

static void wait_for_answers(pthread_cond_t* changed, clockid_t id, int count) {
  struct timespec until = in_a_week(id);
  int error = 0;
  pthread_mutex_lock(&mutex);
  while (answers < count && error == 0)
    error = id == CLOCK_REALTIME ? pthread_cond_timedwait(changed, &mutex, &until)
                                 : pthread_cond_clockwait(changed, &mutex, id, &until);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);  // ours again, either way
  if (error == 0)
    assert(answers >= count);
  else
    assert(error == ETIMEDOUT && has_come(id, &until));
  pthread_mutex_unlock(&mutex);
}

static void* answer(void* arg) {
  (void)arg;
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&mutex);
    ++answers;
    pthread_cond_broadcast(&wall);
    pthread_cond_signal(&steady);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

static void* wait_in_vain(void* arg) {
  (void)arg;
  struct timespec until = in_a_week(CLOCK_MONOTONIC), past = {.tv_sec = 1}, invalid = {.tv_nsec = 1000000000};
  pthread_mutex_lock(&mutex);
  assert(pthread_cond_timedwait(&nobody_signals, &mutex, &until) == ETIMEDOUT);
  assert(has_come(CLOCK_MONOTONIC, &until));
  assert(pthread_cond_timedwait(&nobody_signals, &mutex, &past) == ETIMEDOUT);
  assert(pthread_cond_timedwait(&nobody_signals, &mutex, &invalid) == EINVAL);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&steady, &attributes);
  pthread_cond_init(&nobody_signals, &attributes);
  pthread_t a, b;
  pthread_create(&a, NULL, answer, NULL);
  pthread_create(&b, NULL, wait_in_vain, NULL);
  wait_for_answers(&wall, CLOCK_REALTIME, 1);
  wait_for_answers(&steady, CLOCK_MONOTONIC, 2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(answers == 2);
}
