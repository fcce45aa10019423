// snarl: correct
// The timed and the lesser used calls of C11 threads, and what each returns.
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t timed, recursive;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static int ready, initialised;

static void initialise(void) { ++initialised; }

static struct timespec in_ms(long ms) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  time.tv_nsec += ms * 1000000;
  if (time.tv_nsec >= 1000000000) ++time.tv_sec, time.tv_nsec -= 1000000000;
  return time;
}

static int work(void* arg) {
  call_once(&flag, initialise);
  struct timespec time = in_ms(50);
  int got = mtx_timedlock(&timed, &time);
  assert(got == thrd_success || got == thrd_timedout);
  if (got != thrd_success) assert(mtx_lock(&timed) == thrd_success);
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&timed);
  thrd_exit(*(int*)arg);
}

int main(void) {
  int number = 9, result = 0;
  thrd_t thread;
  assert(mtx_init(&timed, mtx_timed) == thrd_success);
  assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
  assert(cnd_init(&changed) == thrd_success);
  assert(mtx_lock(&recursive) == thrd_success && mtx_trylock(&recursive) == thrd_success);
  mtx_unlock(&recursive);
  mtx_unlock(&recursive);
  assert(mtx_lock(&timed) == thrd_success);
  assert(mtx_trylock(&timed) == thrd_busy);
  struct timespec time = in_ms(1);
  assert(cnd_timedwait(&changed, &timed, &time) == thrd_timedout);
  assert(thrd_create(&thread, work, &number) == thrd_success);
  assert(thrd_sleep(&(struct timespec){.tv_nsec = 1000}, NULL) == 0);
  assert(thrd_sleep(&(struct timespec){.tv_nsec = -1}, NULL) < -1);
  while (!ready) {
    time = in_ms(20);
    int woken = cnd_timedwait(&changed, &timed, &time);
    assert(woken == thrd_success || woken == thrd_timedout);
  }
  mtx_unlock(&timed);
  assert(thrd_join(thread, &result) == thrd_success && result == 9);
  call_once(&flag, initialise);
  assert(initialised == 1);
  assert(thrd_create(&thread, (thrd_start_t)work, &number) == thrd_success);
  assert(thrd_detach(thread) == thrd_success);
  assert(thrd_equal(thrd_current(), thrd_current()));
  thrd_yield();
  thrd_exit(0);
}
