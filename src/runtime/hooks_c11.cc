// C11 threads. glibc's call its own pthread functions directly, past our hooks: these go
// through them. The types are the same underneath.
#include <errno.h>
#include <threads.h>

#include "runtime/hook.h"

namespace snarl {
namespace {

int c11(int error) {
  switch (error) {
    case 0: return thrd_success;
    case ENOMEM: return thrd_nomem;
    case ETIMEDOUT: return thrd_timedout;
    case EBUSY: return thrd_busy;
    default: return thrd_error;
  }
}

pthread_mutex_t* pthread_of(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* pthread_of(cnd_t* condvar) { return reinterpret_cast<pthread_cond_t*>(condvar); }

}  // namespace

// An int in the low half of the result register is what a joiner reads.
SNARL_HOOK int thrd_create(thrd_t* thread, thrd_start_t routine, void* argument) {
  return c11(pthread_create(thread, nullptr, reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(routine)), argument));
}

SNARL_HOOK int thrd_join(thrd_t thread, int* result) {
  void* value = nullptr;
  const int error = pthread_join(thread, &value);
  if (error == 0 && result != nullptr) *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
  return c11(error);
}

SNARL_HOOK int thrd_detach(thrd_t thread) { return c11(pthread_detach(thread)); }
SNARL_HOOK void thrd_yield() { sched_yield(); }

SNARL_HOOK void thrd_exit(int result) {
  pthread_exit(reinterpret_cast<void*>(static_cast<intptr_t>(result)));
  __builtin_unreachable();
}

SNARL_HOOK int thrd_sleep(const timespec* span, timespec* left) { return nanosleep(span, left); }

SNARL_HOOK int mtx_lock(mtx_t* mutex) { return c11(pthread_mutex_lock(pthread_of(mutex))); }
SNARL_HOOK int mtx_trylock(mtx_t* mutex) { return c11(pthread_mutex_trylock(pthread_of(mutex))); }
SNARL_HOOK int mtx_unlock(mtx_t* mutex) { return c11(pthread_mutex_unlock(pthread_of(mutex))); }
SNARL_HOOK int mtx_timedlock(mtx_t* mutex, const timespec* time) { return c11(pthread_mutex_timedlock(pthread_of(mutex), time)); }

SNARL_HOOK int cnd_wait(cnd_t* condvar, mtx_t* mutex) { return c11(pthread_cond_wait(pthread_of(condvar), pthread_of(mutex))); }
SNARL_HOOK int cnd_timedwait(cnd_t* condvar, mtx_t* mutex, const timespec* time) {
  return c11(pthread_cond_timedwait(pthread_of(condvar), pthread_of(mutex), time));
}
SNARL_HOOK int cnd_signal(cnd_t* condvar) { return c11(pthread_cond_signal(pthread_of(condvar))); }
SNARL_HOOK int cnd_broadcast(cnd_t* condvar) { return c11(pthread_cond_broadcast(pthread_of(condvar))); }

SNARL_HOOK void call_once(once_flag* flag, void (*routine)()) { pthread_once(reinterpret_cast<pthread_once_t*>(flag), routine); }

SNARL_HOOK int tss_create(tss_t* key, tss_dtor_t destructor) { return c11(pthread_key_create(key, destructor)); }
SNARL_HOOK void tss_delete(tss_t key) { pthread_key_delete(key); }

}  // namespace snarl
