// C11 threads. glibc's call its own pthread functions directly, past our hooks: these share
// the hooks' insides. The types are the same underneath.
#include <errno.h>
#include <threads.h>

#include "runtime/hooks/primitives.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
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

using Routine = void* (*)(void*);

int init(mtx_t* mutex, int type, uint64_t pc) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return mutex_init(pthread_of(mutex), &attributes, pc);
}

}  // namespace

// An int in the low half of the result register is what a joiner reads.
SNARL_HOOK int thrd_create(thrd_t* thread, thrd_start_t routine, void* argument) {
  return c11(
      thread_create(thread, nullptr, reinterpret_cast<Routine>(reinterpret_cast<void*>(routine)), argument, SNARL_PC));
}

SNARL_HOOK int thrd_join(thrd_t thread, int* result) {
  void* value = nullptr;
  const int error = thread_join(thread, &value, SNARL_PC);
  if (error == 0 && result != nullptr) *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
  return c11(error);
}

SNARL_HOOK int thrd_detach(thrd_t thread) { return c11(thread_detach(thread, SNARL_PC)); }
SNARL_HOOK void thrd_yield() { thread_yield(SNARL_PC); }

SNARL_HOOK void thrd_exit(int result) {
  pthread_exit(reinterpret_cast<void*>(static_cast<intptr_t>(result)));
  __builtin_unreachable();
}

// -1 only if a signal handler ran; another negative number is an error.
SNARL_HOOK int thrd_sleep(const timespec* span, timespec* left) {
  const int error = thread_sleep(CLOCK_REALTIME, 0, span, left, SNARL_PC);
  return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

SNARL_HOOK int mtx_init(mtx_t* mutex, int type) { return c11(init(mutex, type, SNARL_PC)); }
SNARL_HOOK void mtx_destroy(mtx_t* mutex) { mutex_destroy(pthread_of(mutex), SNARL_PC); }
SNARL_HOOK int mtx_lock(mtx_t* mutex) { return c11(mutex_lock(pthread_of(mutex), SNARL_PC)); }
SNARL_HOOK int mtx_trylock(mtx_t* mutex) { return c11(mutex_trylock(pthread_of(mutex), SNARL_PC)); }
SNARL_HOOK int mtx_unlock(mtx_t* mutex) { return c11(mutex_unlock(pthread_of(mutex), SNARL_PC)); }
SNARL_HOOK int mtx_timedlock(mtx_t* mutex, const timespec* time) {
  return c11(mutex_timedlock(pthread_of(mutex), time, SNARL_PC));
}

SNARL_HOOK int cnd_init(cnd_t* condvar) { return c11(cond_init(pthread_of(condvar), nullptr, SNARL_PC)); }
SNARL_HOOK void cnd_destroy(cnd_t* condvar) { cond_destroy(pthread_of(condvar), SNARL_PC); }
SNARL_HOOK int cnd_wait(cnd_t* condvar, mtx_t* mutex) {
  return c11(cond_wait(pthread_of(condvar), pthread_of(mutex), SNARL_PC));
}
SNARL_HOOK int cnd_timedwait(cnd_t* condvar, mtx_t* mutex, const timespec* time) {
  return c11(cond_timedwait(pthread_of(condvar), pthread_of(mutex), time, SNARL_PC));
}
SNARL_HOOK int cnd_signal(cnd_t* condvar) { return c11(cond_signal(pthread_of(condvar), SNARL_PC)); }
SNARL_HOOK int cnd_broadcast(cnd_t* condvar) { return c11(cond_broadcast(pthread_of(condvar), SNARL_PC)); }

SNARL_HOOK void call_once(once_flag* flag, void (*routine)()) {
  run_once(reinterpret_cast<pthread_once_t*>(flag), routine, SNARL_PC);
}

SNARL_HOOK int tss_create(tss_t* key, tss_dtor_t destructor) { return c11(pthread_key_create(key, destructor)); }
SNARL_HOOK void tss_delete(tss_t key) { pthread_key_delete(key); }

}  // namespace snarl::runtime
