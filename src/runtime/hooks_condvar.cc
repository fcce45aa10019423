// Condition variable hooks. Nobody ever waits on the real object: the model knows the waiters.
#include "runtime/hook.h"
#include "runtime/mutex_truth.h"

namespace snarl {

SNARL_HOOK int pthread_cond_init(pthread_cond_t* condvar, const pthread_condattr_t* attributes) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().pthread_cond_init(condvar, attributes);
  Inside inside(*self);
  engine::point(*self, Op{.kind = OpKind::kCondInit, .object = address_of(condvar), .pc = SNARL_PC});
  return real().pthread_cond_init(condvar, attributes);
}

SNARL_HOOK int pthread_cond_destroy(pthread_cond_t* condvar) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().pthread_cond_destroy(condvar);
  Inside inside(*self);
  engine::point(*self, Op{.kind = OpKind::kCondDestroy, .object = address_of(condvar), .pc = SNARL_PC});
  return real().pthread_cond_destroy(condvar);
}

// Two steps: release and enqueue; then, woken and the mutex free, take it again. The real
// condition variable is never waited on, so it needs no signal either.
SNARL_HOOK int pthread_cond_wait(pthread_cond_t* condvar, pthread_mutex_t* mutex) {
  Thread* self = at_mutex_point(mutex);
  if (self == nullptr) return real().pthread_cond_wait(condvar, mutex);
  Inside inside(*self);
  reconcile(mutex);
  Op op{.kind = OpKind::kWait, .mutex = kind_of(mutex), .object = address_of(condvar), .second = address_of(mutex), .pc = SNARL_PC};
  if (const int error = engine::point(*self, op)) return error;
  real().pthread_mutex_unlock(mutex);
  op.kind = OpKind::kReacquire;
  engine::point(*self, op);
  return real().pthread_mutex_lock(mutex);
}

SNARL_HOOK int pthread_cond_signal(pthread_cond_t* condvar) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().pthread_cond_signal(condvar);
  Inside inside(*self);
  const Op op{.kind = OpKind::kSignal, .object = address_of(condvar), .pc = SNARL_PC};
  engine::point(*self, op);
  engine::point_after(*self, op);
  return 0;
}

SNARL_HOOK int pthread_cond_broadcast(pthread_cond_t* condvar) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().pthread_cond_broadcast(condvar);
  Inside inside(*self);
  const Op op{.kind = OpKind::kBroadcast, .object = address_of(condvar), .pc = SNARL_PC};
  engine::point(*self, op);
  engine::point_after(*self, op);
  return 0;
}

}  // namespace snarl
