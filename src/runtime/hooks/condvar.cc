// Condition variable hooks. The model knows the waiters; nobody waits on the real object but those whom libc keeps
// (--time real), so it is signalled too.
#include <errno.h>

#include "runtime/hooks/primitives.h"
#include "runtime/run/cancel.h"
#include "runtime/run/point.h"
#include "runtime/simulated/clock.h"
#include "runtime/state/hook.h"
#include "runtime/truth/misuse_truth.h"
#include "runtime/truth/mutex_truth.h"

namespace snarl::runtime {
namespace {

// Of pthread_cond_t's flags: other processes may use it; its timed waits are against CLOCK_MONOTONIC.
constexpr unsigned kSharedBit = 1;
constexpr unsigned kMonotonicBit = 2;

clockid_t clock_of(const pthread_cond_t* condvar) {
  return (condvar->__data.__wrefs & kMonotonicBit) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

// Null if it is for libc: those who wake must find the threads that wait there.
Thread* at_cond_point(const pthread_cond_t* condvar, uint64_t pc) {
  Thread* self = at_point(pc);
  return is_shared((condvar->__data.__wrefs & kSharedBit) != 0) ? nullptr : self;
}
Thread* at_cond_point(const pthread_cond_t* condvar, const pthread_mutex_t* mutex, uint64_t pc) {
  return at_cond_point(condvar, pc) == nullptr ? nullptr : at_mutex_point(mutex, OpKind::kUnlock, pc);
}

// Two steps: release and enqueue; then, woken (or late) and the mutex free, take it again.
// `second` says what is waited for, and until when.
int wait(Thread& self, pthread_mutex_t* mutex, Op second) {
  Inside inside(self);
  reconcile(mutex);
  second.kind = OpKind::kReacquire;
  second.mutex = kind_of(mutex);
  second.second = address_of(mutex);
  second.traits = traits_of(mutex);
  Op first = second;
  first.kind = OpKind::kWait;
  first.timed = false;
  if (const int error = engine::point(self, first)) return error;
  real().pthread_mutex_unlock(mutex);
  second.traits |= cancel::traits_of(self);
  const int result = engine::point(self, second);
  const int error = real().pthread_mutex_lock(mutex);
  if (error == EOWNERDEAD) put_fiber_into(mutex);
  if (result == ECANCELED) cancel::act(self);  // with the mutex, as its cleanup handlers expect
  return error != 0 || result == ECANCELED ? error : result;
}

int wait_until(Thread& self, const pthread_cond_t* condvar, pthread_mutex_t* mutex, clockid_t id, const timespec& time,
               uint64_t pc) {
  if (!clock::can_wait(id) || !clock::is_valid(time)) return EINVAL;
  return wait(self, mutex,
              Op{.timed = true, .object = address_of(condvar), .deadline = clock::deadline_at(id, time), .pc = pc});
}

}  // namespace

int cond_init(pthread_cond_t* condvar, const pthread_condattr_t* attributes, uint64_t pc) {
  Thread* self = at_point(pc);
  if (self == nullptr) return real().pthread_cond_init(condvar, attributes);
  Inside inside(*self);
  engine::point(*self, Op{.kind = OpKind::kCondInit, .object = address_of(condvar), .pc = pc});
  return real().pthread_cond_init(condvar, attributes);
}

int cond_destroy(pthread_cond_t* condvar, uint64_t pc) {
  Thread* self = at_point(pc);
  if (self == nullptr) return real().pthread_cond_destroy(condvar);
  Inside inside(*self);
  engine::point(*self, Op{.kind = OpKind::kCondDestroy, .object = address_of(condvar), .pc = pc});
  const int error = real().pthread_cond_destroy(condvar);
  if (!is_destroyed(condvar)) engine::conductor().model().forget_destroyed(address_of(condvar));
  return error;
}

int cond_wait(pthread_cond_t* condvar, pthread_mutex_t* mutex, uint64_t pc) {
  Thread* self = at_cond_point(condvar, mutex, pc);
  if (self == nullptr) return real().pthread_cond_wait(condvar, mutex);
  return wait(*self, mutex, Op{.object = address_of(condvar), .pc = pc});
}

int cond_timedwait(pthread_cond_t* condvar, pthread_mutex_t* mutex, const timespec* time, uint64_t pc) {
  Thread* self = clock::is_virtual() ? at_cond_point(condvar, mutex, pc) : nullptr;
  if (self == nullptr) return real().pthread_cond_timedwait(condvar, mutex, time);
  return wait_until(*self, condvar, mutex, clock_of(condvar), *time, pc);
}

SNARL_HOOK int pthread_cond_clockwait(pthread_cond_t* condvar, pthread_mutex_t* mutex, clockid_t id,
                                      const timespec* time) {
  Thread* self = clock::is_virtual() ? at_cond_point(condvar, mutex, SNARL_PC) : nullptr;
  if (self == nullptr) return real().pthread_cond_clockwait(condvar, mutex, id, time);
  return wait_until(*self, condvar, mutex, id, *time, SNARL_PC);
}

int cond_signal(pthread_cond_t* condvar, uint64_t pc) {
  Thread* self = at_cond_point(condvar, pc);
  if (self == nullptr) return real().pthread_cond_signal(condvar);
  Inside inside(*self);
  const Op op{.kind = OpKind::kSignal, .object = address_of(condvar), .pc = pc};
  engine::point(*self, op);
  real().pthread_cond_signal(condvar);
  engine::point_after(*self, op);
  return 0;
}

int cond_broadcast(pthread_cond_t* condvar, uint64_t pc) {
  Thread* self = at_cond_point(condvar, pc);
  if (self == nullptr) return real().pthread_cond_broadcast(condvar);
  Inside inside(*self);
  const Op op{.kind = OpKind::kBroadcast, .object = address_of(condvar), .pc = pc};
  engine::point(*self, op);
  real().pthread_cond_broadcast(condvar);
  engine::point_after(*self, op);
  return 0;
}

SNARL_HOOK int pthread_cond_init(pthread_cond_t* condvar, const pthread_condattr_t* attributes) noexcept {
  return cond_init(condvar, attributes, SNARL_PC);
}
SNARL_HOOK int pthread_cond_destroy(pthread_cond_t* condvar) noexcept { return cond_destroy(condvar, SNARL_PC); }
SNARL_HOOK int pthread_cond_signal(pthread_cond_t* condvar) noexcept { return cond_signal(condvar, SNARL_PC); }
SNARL_HOOK int pthread_cond_broadcast(pthread_cond_t* condvar) noexcept { return cond_broadcast(condvar, SNARL_PC); }
SNARL_HOOK int pthread_cond_wait(pthread_cond_t* condvar, pthread_mutex_t* mutex) {
  return cond_wait(condvar, mutex, SNARL_PC);
}
SNARL_HOOK int pthread_cond_timedwait(pthread_cond_t* condvar, pthread_mutex_t* mutex, const timespec* time) {
  return cond_timedwait(condvar, mutex, time, SNARL_PC);
}

}  // namespace snarl::runtime
