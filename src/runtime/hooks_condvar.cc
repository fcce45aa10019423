// Condition variable hooks. Nobody ever waits on the real object: the model knows the waiters.
#include <errno.h>

#include "runtime/clock.h"
#include "runtime/hook.h"
#include "runtime/misuse_truth.h"
#include "runtime/mutex_truth.h"

namespace snarl {
namespace {

// Of pthread_cond_t's flags: its timed waits are against CLOCK_MONOTONIC.
constexpr unsigned kMonotonicBit = 2;

clockid_t clock_of(const pthread_cond_t* condvar) {
  return (condvar->__data.__wrefs & kMonotonicBit) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

// Two steps: release and enqueue; then, woken (or late) and the mutex free, take it again.
// `second` says what is waited for, and until when.
int wait(Thread& self, pthread_mutex_t* mutex, Op second) {
  Inside inside(self);
  reconcile(mutex);
  second.kind = OpKind::kReacquire;
  second.mutex = kind_of(mutex);
  second.second = address_of(mutex);
  Op first = second;
  first.kind = OpKind::kWait;
  first.timed = false;
  if (const int error = engine::point(self, first)) return error;
  real().pthread_mutex_unlock(mutex);
  const int result = engine::point(self, second);
  const int error = real().pthread_mutex_lock(mutex);
  return error != 0 ? error : result;
}

int wait_until(Thread& self, const pthread_cond_t* condvar, pthread_mutex_t* mutex, clockid_t id, const timespec& time, uint64_t pc) {
  if (!clock::can_wait(id) || !clock::is_valid(time)) return EINVAL;
  return wait(self, mutex, Op{.timed = true, .object = address_of(condvar), .deadline = clock::deadline_at(id, time), .pc = pc});
}

}  // namespace

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
  const int error = real().pthread_cond_destroy(condvar);
  if (!is_destroyed(condvar)) engine::conductor().model().forget_destroyed(address_of(condvar));
  return error;
}

SNARL_HOOK int pthread_cond_wait(pthread_cond_t* condvar, pthread_mutex_t* mutex) {
  Thread* self = at_mutex_point(mutex, OpKind::kUnlock, SNARL_PC);
  if (self == nullptr) return real().pthread_cond_wait(condvar, mutex);
  return wait(*self, mutex, Op{.object = address_of(condvar), .pc = SNARL_PC});
}

SNARL_HOOK int pthread_cond_timedwait(pthread_cond_t* condvar, pthread_mutex_t* mutex, const timespec* time) {
  Thread* self = clock::is_virtual() ? at_mutex_point(mutex, OpKind::kUnlock, SNARL_PC) : nullptr;
  if (self == nullptr) return real().pthread_cond_timedwait(condvar, mutex, time);
  return wait_until(*self, condvar, mutex, clock_of(condvar), *time, SNARL_PC);
}

SNARL_HOOK int pthread_cond_clockwait(pthread_cond_t* condvar, pthread_mutex_t* mutex, clockid_t id, const timespec* time) {
  Thread* self = clock::is_virtual() ? at_mutex_point(mutex, OpKind::kUnlock, SNARL_PC) : nullptr;
  if (self == nullptr) return real().pthread_cond_clockwait(condvar, mutex, id, time);
  return wait_until(*self, condvar, mutex, id, *time, SNARL_PC);
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
