// Spin locks: a mutex to the model.
#include <errno.h>

#include "runtime/run/point.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

constexpr int kUnlocked = 1;  // glibc's value on x86

Op spin_op(OpKind kind, const pthread_spinlock_t* lock, uint64_t pc) {
  model::Model& model = engine::conductor().model();
  if (*lock == kUnlocked) model.forget_mutex(address_of(const_cast<const int*>(lock)));
  return Op{.kind = kind, .shape = LockShape::kSpin, .object = address_of(const_cast<const int*>(lock)), .pc = pc};
}

}  // namespace

SNARL_HOOK int pthread_spin_init(pthread_spinlock_t* lock, int shared) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().pthread_spin_init(lock, shared);
  Inside inside(*self);
  engine::point(*self, Op{.kind = OpKind::kMutexInit,
                          .shape = LockShape::kSpin,
                          .object = address_of(const_cast<const int*>(lock)),
                          .pc = SNARL_PC});
  return real().pthread_spin_init(lock, shared);
}

SNARL_HOOK int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().pthread_spin_destroy(lock);
  Inside inside(*self);
  engine::point(*self, Op{.kind = OpKind::kMutexDestroy,
                          .shape = LockShape::kSpin,
                          .object = address_of(const_cast<const int*>(lock)),
                          .pc = SNARL_PC});
  return real().pthread_spin_destroy(lock);
}

SNARL_HOOK int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().pthread_spin_lock(lock);
  Inside inside(*self);
  if (const int error = engine::point(*self, spin_op(OpKind::kLock, lock, SNARL_PC))) return error;
  return real().pthread_spin_lock(lock);
}

SNARL_HOOK int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().pthread_spin_trylock(lock);
  Inside inside(*self);
  if (const int error = engine::point(*self, spin_op(OpKind::kTryLock, lock, SNARL_PC))) return error;
  return real().pthread_spin_trylock(lock);
}

SNARL_HOOK int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().pthread_spin_unlock(lock);
  Inside inside(*self);
  const Op op = spin_op(OpKind::kUnlock, lock, SNARL_PC);
  engine::point(*self, op);
  const int error = real().pthread_spin_unlock(lock);
  engine::point_after(*self, op);
  return error;
}

}  // namespace snarl::runtime
