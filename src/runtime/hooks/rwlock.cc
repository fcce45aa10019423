// Read-write locks. As with mutexes the model decides, and the real lock follows at once.
#include <errno.h>

#include "runtime/run/point.h"
#include "runtime/simulated/clock.h"
#include "runtime/state/hook.h"
#include "runtime/truth/misuse_truth.h"
#include "runtime/truth/mutex_truth.h"

namespace snarl::runtime {
namespace {

// Memory that held a locked one may have become another.
void reconcile(const pthread_rwlock_t* lock) {
  model::Model& model = engine::conductor().model();
  if (!is_locked(lock) && !model.is_rwlock_free(address_of(lock))) model.forget_rwlock(address_of(lock));
}

Op rwlock_op(OpKind kind, const pthread_rwlock_t* lock, uint64_t pc) {
  reconcile(lock);
  const bool prefers_writers = lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
  return Op{.kind = kind, .prefers_writers = prefers_writers, .object = address_of(lock), .pc = pc};
}

Thread* at_rwlock_point(const pthread_rwlock_t* lock, uint64_t pc) {
  Thread* self = at_point(pc);
  return self == nullptr || is_shared(lock->__data.__shared != 0) ? nullptr : self;
}

int take(Thread& self, int (*real_try)(pthread_rwlock_t*), pthread_rwlock_t* lock, const Op& op) {
  Inside inside(self);
  const int error = engine::point(self, op);
  return error != 0 ? error : real_try(lock);
}

int take_until(Thread& self, int (*real_try)(pthread_rwlock_t*), pthread_rwlock_t* lock, Op op, clockid_t id,
               const timespec& time) {
  if (!clock::can_wait(id) || !clock::is_valid(time)) return EINVAL;
  op.timed = true;
  op.deadline = clock::deadline_at(id, time);
  return take(self, real_try, lock, op);
}

// Otherwise glibc's count of readers would run below zero, and nobody could ever lock it again.
bool unlocks_safely(const pthread_rwlock_t* lock, int tid) {
  const bool written = lock->__data.__cur_writer != 0;
  return is_locked(lock) && (!written || lock->__data.__cur_writer == tid);
}

}  // namespace

SNARL_HOOK int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().pthread_rwlock_init(lock, attributes);
  Inside inside(*self);
  engine::point(*self, Op{.kind = OpKind::kRwInit, .object = address_of(lock), .pc = SNARL_PC});
  return real().pthread_rwlock_init(lock, attributes);
}

SNARL_HOOK int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().pthread_rwlock_destroy(lock);
  Inside inside(*self);
  engine::point(*self, Op{.kind = OpKind::kRwDestroy, .object = address_of(lock), .pc = SNARL_PC});
  const int error = real().pthread_rwlock_destroy(lock);
  if (error == 0) mark_destroyed(lock);
  return error;
}

SNARL_HOOK int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  Thread* self = at_rwlock_point(lock, SNARL_PC);
  if (self == nullptr) return real().pthread_rwlock_rdlock(lock);
  return take(*self, real().pthread_rwlock_tryrdlock, lock, rwlock_op(OpKind::kReadLock, lock, SNARL_PC));
}

SNARL_HOOK int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  Thread* self = at_rwlock_point(lock, SNARL_PC);
  if (self == nullptr) return real().pthread_rwlock_wrlock(lock);
  return take(*self, real().pthread_rwlock_trywrlock, lock, rwlock_op(OpKind::kWriteLock, lock, SNARL_PC));
}

SNARL_HOOK int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  Thread* self = at_rwlock_point(lock, SNARL_PC);
  if (self == nullptr) return real().pthread_rwlock_tryrdlock(lock);
  return take(*self, real().pthread_rwlock_tryrdlock, lock, rwlock_op(OpKind::kTryReadLock, lock, SNARL_PC));
}

SNARL_HOOK int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  Thread* self = at_rwlock_point(lock, SNARL_PC);
  if (self == nullptr) return real().pthread_rwlock_trywrlock(lock);
  return take(*self, real().pthread_rwlock_trywrlock, lock, rwlock_op(OpKind::kTryWriteLock, lock, SNARL_PC));
}

SNARL_HOOK int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* time) noexcept {
  Thread* self = clock::is_virtual() ? at_rwlock_point(lock, SNARL_PC) : nullptr;
  if (self == nullptr) return real().pthread_rwlock_timedrdlock(lock, time);
  return take_until(*self, real().pthread_rwlock_tryrdlock, lock, rwlock_op(OpKind::kReadLock, lock, SNARL_PC),
                    CLOCK_REALTIME, *time);
}

SNARL_HOOK int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* time) noexcept {
  Thread* self = clock::is_virtual() ? at_rwlock_point(lock, SNARL_PC) : nullptr;
  if (self == nullptr) return real().pthread_rwlock_timedwrlock(lock, time);
  return take_until(*self, real().pthread_rwlock_trywrlock, lock, rwlock_op(OpKind::kWriteLock, lock, SNARL_PC),
                    CLOCK_REALTIME, *time);
}

SNARL_HOOK int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t id, const timespec* time) noexcept {
  Thread* self = clock::is_virtual() ? at_rwlock_point(lock, SNARL_PC) : nullptr;
  if (self == nullptr) return real().pthread_rwlock_clockrdlock(lock, id, time);
  return take_until(*self, real().pthread_rwlock_tryrdlock, lock, rwlock_op(OpKind::kReadLock, lock, SNARL_PC), id,
                    *time);
}

SNARL_HOOK int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t id, const timespec* time) noexcept {
  Thread* self = clock::is_virtual() ? at_rwlock_point(lock, SNARL_PC) : nullptr;
  if (self == nullptr) return real().pthread_rwlock_clockwrlock(lock, id, time);
  return take_until(*self, real().pthread_rwlock_trywrlock, lock, rwlock_op(OpKind::kWriteLock, lock, SNARL_PC), id,
                    *time);
}

SNARL_HOOK int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  Thread* self = at_rwlock_point(lock, SNARL_PC);
  if (self == nullptr) return real().pthread_rwlock_unlock(lock);
  Inside inside(*self);
  const Op op = rwlock_op(OpKind::kRwUnlock, lock, SNARL_PC);
  engine::point(*self, op);
  const int error = unlocks_safely(lock, self->tid) ? real().pthread_rwlock_unlock(lock) : 0;
  engine::point_after(*self, op);
  return error;
}

}  // namespace snarl::runtime
