// Read-write locks: libc's try forms, and a place on a list when they fail.
#include <errno.h>

#include "runtime/parallel/desk.h"
#include "runtime/parallel/run.h"

namespace snarl::parallel {
namespace {

using Try = int (*)(pthread_rwlock_t*);

bool is_own(const Thread& self, const pthread_rwlock_t* lock) { return lock->__data.__cur_writer == self.tid; }

int lock_until(OpKind kind, pthread_rwlock_t* lock, Try try_it, Time until) {
  Thread& self = *current;
  arrive(self, kind, lock, self.caller);
  const int error = is_own(self, lock) ? EDEADLK : acquire(self, lock, [=] { return try_it(lock); }, until);
  note(self, error == ETIMEDOUT);
  return error;
}

int try_lock(OpKind kind, pthread_rwlock_t* lock, Try try_it) {
  Thread* self = me();
  if (self == nullptr) return try_it(lock);
  arrive(*self, kind, lock, self->caller);
  const int error = try_it(lock);
  note(*self);
  return error;
}

int read(pthread_rwlock_t* lock) {
  return me() == nullptr ? libc().pthread_rwlock_rdlock(lock)
                         : lock_until(OpKind::kReadLock, lock, libc().pthread_rwlock_tryrdlock, kNever);
}

int write(pthread_rwlock_t* lock) {
  return me() == nullptr ? libc().pthread_rwlock_wrlock(lock)
                         : lock_until(OpKind::kWriteLock, lock, libc().pthread_rwlock_trywrlock, kNever);
}

int clock_read(pthread_rwlock_t* lock, clockid_t clock, const timespec* time) {
  if (me() == nullptr || !is_valid(*time)) return libc().pthread_rwlock_clockrdlock(lock, clock, time);
  const Time until = time_at(clock, *time);
  return lock_until(OpKind::kReadLock, lock, libc().pthread_rwlock_tryrdlock, until);
}

int clock_write(pthread_rwlock_t* lock, clockid_t clock, const timespec* time) {
  if (me() == nullptr || !is_valid(*time)) return libc().pthread_rwlock_clockwrlock(lock, clock, time);
  const Time until = time_at(clock, *time);
  return lock_until(OpKind::kWriteLock, lock, libc().pthread_rwlock_trywrlock, until);
}

int timed_read(pthread_rwlock_t* lock, const timespec* time) { return clock_read(lock, CLOCK_REALTIME, time); }
int timed_write(pthread_rwlock_t* lock, const timespec* time) { return clock_write(lock, CLOCK_REALTIME, time); }
int try_read(pthread_rwlock_t* lock) { return try_lock(OpKind::kTryReadLock, lock, libc().pthread_rwlock_tryrdlock); }
int try_write(pthread_rwlock_t* lock) { return try_lock(OpKind::kTryWriteLock, lock, libc().pthread_rwlock_trywrlock); }

int unlock(pthread_rwlock_t* lock) {
  Thread* self = me();
  if (self == nullptr) return libc().pthread_rwlock_unlock(lock);
  const uint64_t pc = self->caller;
  arrive(*self, OpKind::kRwUnlock, lock, pc);
  note(*self);
  const int error = libc().pthread_rwlock_unlock(lock);
  offer_to_all(*self, lock);
  arrive_after(*self, OpKind::kRwUnlock, lock, pc);
  return error;
}

int init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) {
  if (Thread* self = me()) {
    arrive(*self, OpKind::kRwInit, lock, self->caller);
    note(*self);
  }
  return libc().pthread_rwlock_init(lock, attributes);
}

int destroy(pthread_rwlock_t* lock) {
  if (Thread* self = me()) {
    arrive(*self, OpKind::kRwDestroy, lock, self->caller);
    note(*self);
  }
  return libc().pthread_rwlock_destroy(lock);
}

}  // namespace

void install_rwlocks(Real& table) {
  table.pthread_rwlock_rdlock = read;
  table.pthread_rwlock_wrlock = write;
  table.pthread_rwlock_clockrdlock = clock_read;
  table.pthread_rwlock_clockwrlock = clock_write;
  table.pthread_rwlock_timedrdlock = timed_read;
  table.pthread_rwlock_timedwrlock = timed_write;
  table.pthread_rwlock_tryrdlock = try_read;
  table.pthread_rwlock_trywrlock = try_write;
  table.pthread_rwlock_unlock = unlock;
  table.pthread_rwlock_init = init;
  table.pthread_rwlock_destroy = destroy;
}

}  // namespace snarl::parallel
