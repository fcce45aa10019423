// snarl: correct
// Joins that only try, that wait for a while by either clock, and that are wrong: each returns what it
// should, and a thread that was not joined in time can still be joined.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

static sem_t go;

static void* work(void* arg) {
  sem_wait(&go);
  return arg;
}

static struct timespec in_a_second(clockid_t id) {
  struct timespec time;
  clock_gettime(id, &time);
  ++time.tv_sec;
  return time;
}

int main(void) {
  pthread_t thread, other;
  void* result = NULL;
  sem_init(&go, 0, 0);
  pthread_create(&thread, NULL, work, &go);
  assert(pthread_tryjoin_np(thread, &result) == EBUSY);
  assert(pthread_tryjoin_np(pthread_self(), &result) == EBUSY);
  struct timespec time = in_a_second(CLOCK_REALTIME);
  assert(pthread_timedjoin_np(thread, &result, &time) == ETIMEDOUT);
  time = in_a_second(CLOCK_MONOTONIC);
  assert(pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &time) == ETIMEDOUT);
  assert(result == NULL);
  sem_post(&go);
  int error;
  do time = in_a_second(CLOCK_REALTIME);
  while ((error = pthread_timedjoin_np(thread, &result, &time)) == ETIMEDOUT);
  assert(error == 0 && result == &go);

  pthread_create(&other, NULL, work, &error);
  sem_post(&go);
  do time = in_a_second(CLOCK_MONOTONIC);
  while ((error = pthread_clockjoin_np(other, &result, CLOCK_MONOTONIC, &time)) == ETIMEDOUT);
  assert(error == 0 && result == &error);

  pthread_create(&other, NULL, work, &thread);
  sem_post(&go);
  while ((error = pthread_tryjoin_np(other, &result)) == EBUSY) sched_yield();
  assert(error == 0 && result == &thread);

  pthread_create(&other, NULL, work, &time);
  sem_post(&go);
  assert(pthread_timedjoin_np(other, &result, NULL) == 0 && result == &time);
  return 0;
}
