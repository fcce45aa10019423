// snarl: correct
// C11 threads from end to end: results, mutexes of all types, timed forms, once, tss, sleep.
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t plain, timed, recursive, held;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int made, destroyed, items;

static void make(void) { ++made; }
static void destroy(void* value) { destroyed += *(int*)value; }

static struct timespec in_an_hour(void) {
  struct timespec t;
  assert(timespec_get(&t, TIME_UTC) == TIME_UTC);
  t.tv_sec += 3600;
  return t;
}

static int work(void* arg) {
  static int one = 1;
  call_once(&once, make);
  assert(made == 1);
  assert(tss_set(key, &one) == thrd_success && tss_get(key) == &one);
  assert(mtx_lock(&recursive) == thrd_success && mtx_trylock(&recursive) == thrd_success);
  assert(mtx_unlock(&recursive) == thrd_success && mtx_unlock(&recursive) == thrd_success);
  struct timespec until = in_an_hour();
  assert(mtx_timedlock(&held, &until) == thrd_timedout);
  assert(mtx_trylock(&held) == thrd_busy);
  assert(thrd_sleep(&(struct timespec){.tv_sec = 60}, NULL) == 0);
  thrd_yield();
  assert(mtx_lock(&plain) == thrd_success);
  ++items;
  assert(cnd_signal(&changed) == thrd_success);
  assert(mtx_unlock(&plain) == thrd_success);
  if (arg == NULL) thrd_exit(7);
  return *(int*)arg;
}

int main(void) {
  assert(mtx_init(&plain, mtx_plain) == thrd_success && mtx_init(&timed, mtx_timed) == thrd_success);
  assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success && mtx_init(&held, mtx_timed) == thrd_success);
  assert(cnd_init(&changed) == thrd_success && tss_create(&key, destroy) == thrd_success);
  mtx_lock(&held);
  int eight = 8, result = 0;
  thrd_t a, b;
  assert(thrd_create(&a, work, NULL) == thrd_success && thrd_create(&b, work, &eight) == thrd_success);
  mtx_lock(&plain);
  while (items < 2) {
    struct timespec until = in_an_hour();
    const int woken = cnd_timedwait(&changed, &plain, &until);
    assert(woken == thrd_success || woken == thrd_timedout);
  }
  mtx_unlock(&plain);
  struct timespec past = {.tv_sec = 1};
  assert(mtx_timedlock(&timed, &past) == thrd_success && mtx_timedlock(&timed, &past) == thrd_timedout);
  mtx_unlock(&timed);
  assert(thrd_join(a, &result) == thrd_success && result == 7);
  assert(thrd_join(b, &result) == thrd_success && result == 8);
  assert(destroyed == 2);
  mtx_unlock(&held);
  cnd_destroy(&changed);
  mtx_destroy(&plain);
}
