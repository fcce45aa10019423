// Mutexes: libc's trylock, and a place on a list when that fails.
#include "runtime/parallel/mutex.h"

#include <errno.h>
#include <linux/futex.h>

#include "runtime/parallel/run.h"
#include "runtime/platform/raw.h"
#include "runtime/truth/mutex_truth.h"

namespace snarl::runtime::parallel {
namespace {

// Bits of __kind (part of glibc's ABI).
constexpr int kTypeMask = 3, kSharedBit = 128;

bool has_others(const pthread_mutex_t* mutex) { return is_shared((mutex->__data.__kind & kSharedBit) != 0); }

// libc's lock says so at once; its trylock would say EBUSY.
bool is_own_errorcheck(const Thread& self, const pthread_mutex_t* mutex) {
  return (mutex->__data.__kind & kTypeMask) == PTHREAD_MUTEX_ERRORCHECK_NP && mutex->__data.__owner == self.tid;
}

// A robust mutex that nobody made consistent again. libc's trylock says so as well, but keeps the lock.
int try_it(pthread_mutex_t* mutex) {
  constexpr int kNotRecoverable = 0x7ffffffe;  // glibc's value of the owner
  if (__builtin_expect(mutex->__data.__owner == kNotRecoverable, 0)) return ENOTRECOVERABLE;
  return libc().pthread_mutex_trylock(mutex);
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

int lock(pthread_mutex_t* mutex) {
  return me() == nullptr ? libc().pthread_mutex_lock(mutex) : lock_until(mutex, kNever);
}

int timed_lock(pthread_mutex_t* mutex, const timespec* time) {
  if (me() == nullptr || has_others(mutex) || !is_valid(*time)) return libc().pthread_mutex_timedlock(mutex, time);
  const Time until = time_at(CLOCK_REALTIME, *time);
  return lock_until(mutex, until);
}

int clock_lock(pthread_mutex_t* mutex, clockid_t clock, const timespec* time) {
  if (me() == nullptr || has_others(mutex) || !is_valid(*time))
    return libc().pthread_mutex_clocklock(mutex, clock, time);
  const Time until = time_at(clock, *time);
  return lock_until(mutex, until);
}

int try_lock(pthread_mutex_t* mutex) {
  Thread* self = me();
  if (self == nullptr) return libc().pthread_mutex_trylock(mutex);
  arrive(*self, OpKind::kTryLock, mutex, self->caller);
  const int error = try_it(mutex);
  note(*self);
  return error;
}

int unlock(pthread_mutex_t* mutex) {
  Thread* self = me();
  if (self == nullptr) return libc().pthread_mutex_unlock(mutex);
  const uint64_t pc = self->caller;
  arrive(*self, OpKind::kUnlock, mutex, pc);
  note_giving(*self);
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
  const int error = try_it(mutex);
  if (__builtin_expect(error != EBUSY, 1)) return error;
  if (is_own_errorcheck(self, mutex)) return EDEADLK;
  if (has_others(mutex)) return lock_shared(self, mutex);
  const int result = acquire(
      self, mutex, [mutex] { return try_it(mutex); }, until);
  if (result == ENOTRECOVERABLE) offer_to_all(self, mutex);  // the next one is to learn of it, too
  return result;
}

// As the kernel does when the OS thread is gone, which then finds nothing to do: our lists must be told, and a
// thread that takes one of them meanwhile links it into a list of its own.
void abandon_robust(Desk& desk) {
  robust_list_head* head = nullptr;
  size_t size = 0;
  if (raw::call(SYS_get_robust_list, 0, &head, &size) != 0 || head == nullptr) return;
  robust_list* at = head->list.next;
  head->list.next = &head->list;
  constexpr uintptr_t kInherits = 1;  // a mark: nobody waits in the kernel for these either
  while (at != &head->list) {
    const uintptr_t entry = reinterpret_cast<uintptr_t>(at) & ~kInherits;
    at = reinterpret_cast<robust_list*>(entry)->next;
    auto* lock =
        reinterpret_cast<uint32_t*>(entry + static_cast<uintptr_t>(head->futex_offset));  // the mutex begins with it
    const uint32_t waiters = __atomic_load_n(lock, __ATOMIC_RELAXED) & FUTEX_WAITERS;
    __atomic_store_n(lock, waiters | FUTEX_OWNER_DIED, __ATOMIC_SEQ_CST);
    desk.wake_one(lock);
  }
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

}  // namespace snarl::runtime::parallel
