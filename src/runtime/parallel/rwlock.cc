// Read-write locks: libc's try forms, and a place on a list when they fail.
#include <errno.h>

#include "runtime/parallel/run.h"
#include "runtime/parallel/waiting.h"

namespace snarl::runtime::parallel {
namespace {

using Try = int (*)(pthread_rwlock_t*);

bool is_own(const Thread& self, const pthread_rwlock_t* lock) { return lock->__data.__cur_writer == self.tid; }

// A lock that prefers writers lets no reader in while one waits; libc can't know of ours.
bool writer_comes_first(Thread& self, const pthread_rwlock_t* lock) {
  if (lock->__data.__flags != PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP || !anybody_listed(lock)) return false;
  Desk desk(self);
  return is_listed(lock, OpKind::kWriteLock);
}

// Until the lock is given away: then it is looked at again.
int wait_for_writer(Thread& self, pthread_rwlock_t* lock, Time until) {
  {
    Desk desk(self);
    if (!is_listed(lock, OpKind::kWriteLock)) return 0;
    desk.enlist(lock);
    desk.block_timed(until);
  }
  return sleep(self) ? 0 : ETIMEDOUT;
}

int read_until(pthread_rwlock_t* lock, Time until) {
  Thread& self = *current;
  arrive(self, OpKind::kReadLock, lock, self.caller);
  int error = is_own(self, lock) ? EDEADLK : 0;
  while (error == 0 && writer_comes_first(self, lock)) error = wait_for_writer(self, lock, until);
  if (error == 0)
    error = acquire(
        self, lock, [lock] { return libc().pthread_rwlock_tryrdlock(lock); }, until);
  note(self, error == ETIMEDOUT);
  return error;
}

int write_until(pthread_rwlock_t* lock, Time until) {
  Thread& self = *current;
  arrive(self, OpKind::kWriteLock, lock, self.caller);
  const auto try_it = [lock] { return libc().pthread_rwlock_trywrlock(lock); };
  const int error = is_own(self, lock) ? EDEADLK : acquire(self, lock, try_it, until);
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
  return me() == nullptr ? libc().pthread_rwlock_rdlock(lock) : read_until(lock, kNever);
}

int write(pthread_rwlock_t* lock) {
  return me() == nullptr ? libc().pthread_rwlock_wrlock(lock) : write_until(lock, kNever);
}

int clock_read(pthread_rwlock_t* lock, clockid_t clock, const timespec* time) {
  if (me() == nullptr || !is_valid(*time)) return libc().pthread_rwlock_clockrdlock(lock, clock, time);
  const Time until = time_at(clock, *time);
  return read_until(lock, until);
}

int clock_write(pthread_rwlock_t* lock, clockid_t clock, const timespec* time) {
  if (me() == nullptr || !is_valid(*time)) return libc().pthread_rwlock_clockwrlock(lock, clock, time);
  const Time until = time_at(clock, *time);
  return write_until(lock, until);
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
  note_giving(*self);
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

}  // namespace snarl::runtime::parallel
