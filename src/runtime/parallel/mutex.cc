// Mutexes: libc's trylock, and a place on a list when that fails.
#include "runtime/parallel/mutex.h"

#include <errno.h>

#include "runtime/mutex_truth.h"
#include "runtime/parallel/run.h"

namespace snarl::parallel {
namespace {

// Bits of __kind (part of glibc's ABI).
constexpr int kTypeMask = 3, kSharedBit = 128;

bool has_others(const pthread_mutex_t* mutex) { return is_shared((mutex->__data.__kind & kSharedBit) != 0); }

// libc's lock says so at once; its trylock would say EBUSY.
bool is_own_errorcheck(const Thread& self, const pthread_mutex_t* mutex) {
  return (mutex->__data.__kind & kTypeMask) == PTHREAD_MUTEX_ERRORCHECK_NP && mutex->__data.__owner == self.tid;
}

int lock_shared(Thread& self, pthread_mutex_t* mutex) {
  const int error = libc().pthread_mutex_trylock(mutex);
  if (error != EBUSY) return error;
  Outside outside(self);
  return libc().pthread_mutex_lock(mutex);
}

int lock_until(pthread_mutex_t* mutex, Time until) {
  Thread& self = *current;
  arrive(self, OpKind::kLock, mutex, self.caller);
  const int error = take(self, mutex, until);
  note(self, error == ETIMEDOUT);
  return error;
}

int lock(pthread_mutex_t* mutex) { return me() == nullptr ? libc().pthread_mutex_lock(mutex) : lock_until(mutex, kNever); }

int timed_lock(pthread_mutex_t* mutex, const timespec* time) {
  if (me() == nullptr || has_others(mutex) || !is_valid(*time)) return libc().pthread_mutex_timedlock(mutex, time);
  const Time until = time_at(CLOCK_REALTIME, *time);
  return lock_until(mutex, until);
}

int clock_lock(pthread_mutex_t* mutex, clockid_t clock, const timespec* time) {
  if (me() == nullptr || has_others(mutex) || !is_valid(*time)) return libc().pthread_mutex_clocklock(mutex, clock, time);
  const Time until = time_at(clock, *time);
  return lock_until(mutex, until);
}

int try_lock(pthread_mutex_t* mutex) {
  Thread* self = me();
  if (self == nullptr) return libc().pthread_mutex_trylock(mutex);
  arrive(*self, OpKind::kTryLock, mutex, self->caller);
  const int error = libc().pthread_mutex_trylock(mutex);
  note(*self);
  return error;
}

int unlock(pthread_mutex_t* mutex) {
  Thread* self = me();
  if (self == nullptr) return libc().pthread_mutex_unlock(mutex);
  const uint64_t pc = self->caller;
  arrive(*self, OpKind::kUnlock, mutex, pc);
  note(*self);
  const int error = libc().pthread_mutex_unlock(mutex);
  offer(*self, mutex);
  arrive_after(*self, OpKind::kUnlock, mutex, pc);
  return error;
}

int init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  if (Thread* self = me()) {
    arrive(*self, OpKind::kMutexInit, mutex, self->caller);
    note(*self);
  }
  return libc().pthread_mutex_init(mutex, attributes);
}

int destroy(pthread_mutex_t* mutex) {
  if (Thread* self = me()) {
    arrive(*self, OpKind::kMutexDestroy, mutex, self->caller);
    note(*self);
  }
  return libc().pthread_mutex_destroy(mutex);
}

}  // namespace

int take(Thread& self, pthread_mutex_t* mutex, Time until) {
  const int error = libc().pthread_mutex_trylock(mutex);
  if (__builtin_expect(error != EBUSY, 1)) return error;
  if (is_own_errorcheck(self, mutex)) return EDEADLK;
  if (has_others(mutex)) return lock_shared(self, mutex);
  return acquire(self, mutex, [mutex] { return libc().pthread_mutex_trylock(mutex); }, until);
}

void install_mutexes(Real& table) {
  table.pthread_mutex_lock = lock;
  table.pthread_mutex_timedlock = timed_lock;
  table.pthread_mutex_clocklock = clock_lock;
  table.pthread_mutex_trylock = try_lock;
  table.pthread_mutex_unlock = unlock;
  table.pthread_mutex_init = init;
  table.pthread_mutex_destroy = destroy;
}

}  // namespace snarl::parallel
