/* threads.h: thin names for what pthread has. */
#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

#include "coseq/models/intrinsics.h"

void* malloc(unsigned long size);
void free(void* pointer);

static int result_of(int error) {
  return error == 0 ? thrd_success : error == EBUSY ? thrd_busy : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

/* A thrd_start_t returns int, which call a function of another type can't do: so it is called from here. */
static struct {
  thrd_start_t start;
  void* argument;
} begins[kLaneThreads];

static void* begin(void* at) {
  const unsigned long slot = (unsigned long)at;
  return (void*)(long)begins[slot].start(begins[slot].argument);
}

int thrd_create(thrd_t* thread, thrd_start_t start, void* argument) {
  unsigned slot = 0; /* pthread_create takes the same one: no other thread runs in between, but for its point */
  snarl_lane_point(kOpCreate, 0);
  while (slot < kLaneThreads && THREAD(slot)->state != kThreadFree) ++slot;
  if (slot == kLaneThreads) snarl_lane_end(kLaneTooManyThreads, 0, kLaneThreads);
  begins[slot].start = start;
  begins[slot].argument = argument;
  return result_of(snarl_model_create(thread, 0, begin, (void*)(unsigned long)slot, (unsigned)(unsigned long)start));
}
int thrd_join(thrd_t thread, int* code) {
  void* result = 0;
  const int error = pthread_join(thread, &result);
  if (code != 0) *code = (int)(long)result;
  return result_of(error);
}
int thrd_detach(thrd_t thread) { return result_of(pthread_detach(thread)); }
thrd_t thrd_current(void) { return pthread_self(); }
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
void thrd_exit(int code) { pthread_exit((void*)(long)code); }
int sched_yield(void);
void thrd_yield(void) { sched_yield(); }
int nanosleep(const struct timespec* want, struct timespec* left);
int thrd_sleep(const struct timespec* want, struct timespec* left) { return nanosleep(want, left) == 0 ? 0 : -2; }

int mtx_init(mtx_t* mutex, int type) {
  const int kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
  return result_of(pthread_mutex_init((pthread_mutex_t*)mutex, (const pthread_mutexattr_t*)&kind));
}
void mtx_destroy(mtx_t* mutex) { pthread_mutex_destroy((pthread_mutex_t*)mutex); }
int mtx_lock(mtx_t* mutex) { return result_of(pthread_mutex_lock((pthread_mutex_t*)mutex)); }
int mtx_trylock(mtx_t* mutex) { return result_of(pthread_mutex_trylock((pthread_mutex_t*)mutex)); }
int mtx_timedlock(mtx_t* mutex, const struct timespec* until) {
  return result_of(pthread_mutex_timedlock((pthread_mutex_t*)mutex, until));
}
int mtx_unlock(mtx_t* mutex) { return result_of(pthread_mutex_unlock((pthread_mutex_t*)mutex)); }

int cnd_init(cnd_t* cond) { return result_of(pthread_cond_init((pthread_cond_t*)cond, 0)); }
void cnd_destroy(cnd_t* cond) { pthread_cond_destroy((pthread_cond_t*)cond); }
int cnd_wait(cnd_t* cond, mtx_t* mutex) {
  return result_of(pthread_cond_wait((pthread_cond_t*)cond, (pthread_mutex_t*)mutex));
}
int cnd_timedwait(cnd_t* cond, mtx_t* mutex, const struct timespec* until) {
  return result_of(pthread_cond_timedwait((pthread_cond_t*)cond, (pthread_mutex_t*)mutex, until));
}
int cnd_signal(cnd_t* cond) { return result_of(pthread_cond_signal((pthread_cond_t*)cond)); }
int cnd_broadcast(cnd_t* cond) { return result_of(pthread_cond_broadcast((pthread_cond_t*)cond)); }

void call_once(once_flag* flag, void (*routine)(void)) { pthread_once((pthread_once_t*)flag, routine); }

int tss_create(tss_t* key, tss_dtor_t destructor) { return result_of(pthread_key_create(key, destructor)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
void* tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void* value) { return result_of(pthread_setspecific(key, value)); }
