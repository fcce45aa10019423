// snarl: correct
// Every way to sleep, for hours and days: virtual time passes by at least as much, all clocks agree,
// and no real time is lost.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static double now(clockid_t id) {
  struct timespec t;
  assert(clock_gettime(id, &t) == 0);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void* sleep_a_day(void* arg) {
  const double begin = now(CLOCK_MONOTONIC);
  assert(sleep(86400) == 0);
  assert(now(CLOCK_MONOTONIC) - begin >= 86400);
  *(double*)arg = now(CLOCK_MONOTONIC);
  return NULL;
}

static void* sleep_hours(void* arg) {
  const double begin = now(CLOCK_MONOTONIC);
  struct timespec hour = {.tv_sec = 3600};
  assert(nanosleep(&hour, NULL) == 0);
  assert(now(CLOCK_MONOTONIC) - begin >= 3600);
  assert(usleep(999999) == 0);
  assert(now(CLOCK_MONOTONIC) - begin >= 3600.999);
  struct timespec until;
  assert(clock_gettime(CLOCK_MONOTONIC, &until) == 0);
  until.tv_sec += 7200;
  assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
  assert(now(CLOCK_MONOTONIC) >= (double)until.tv_sec);
  assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);  // it has passed
  assert(clock_nanosleep(CLOCK_REALTIME, 0, &hour, NULL) == 0);
  assert(now(CLOCK_MONOTONIC) - begin >= 3600.999 + 7200 + 3600);
  *(double*)arg = now(CLOCK_MONOTONIC);
  return NULL;
}

int main(void) {
  const double wall = now(CLOCK_REALTIME), steady = now(CLOCK_MONOTONIC);
  double day = 0, hours = 0;
  pthread_t a, b;
  pthread_create(&a, NULL, sleep_a_day, &day);
  pthread_create(&b, NULL, sleep_hours, &hours);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(hours < day);  // the shorter sleeps end first
  const double passed = now(CLOCK_MONOTONIC) - steady;
  assert(passed >= 86400 && passed < 86500);
  const double difference = now(CLOCK_REALTIME) - wall - passed;
  assert(difference > -0.01 && difference < 0.01);
  struct timeval day_time;
  assert(gettimeofday(&day_time, NULL) == 0);
  const double second = (double)day_time.tv_sec;
  assert(now(CLOCK_REALTIME) - second < 1.1 && time(NULL) - day_time.tv_sec <= 1);
}
