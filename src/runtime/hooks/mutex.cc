// Mutex hooks. The model decides who gets one; the program's own object follows, by a real
// call that can't block, so that code that we don't see finds it in the right state.
#include "runtime/hooks/primitives.h"
#include "runtime/memory/races.h"
#include "runtime/run/point.h"
#include "runtime/run/quick_point.h"
#include "runtime/simulated/clock.h"
#include "runtime/state/hook.h"
#include "runtime/truth/misuse_truth.h"
#include "runtime/truth/mutex_truth.h"

namespace snarl::runtime {
namespace {

bool is_ordinary(const pthread_mutex_t* mutex) { return mutex->__data.__kind == PTHREAD_MUTEX_TIMED_NP; }

Op mutex_op(OpKind kind, const pthread_mutex_t* mutex, uint64_t pc) {
  if (is_ordinary(mutex)) return Op{.kind = kind, .object = address_of(mutex), .pc = pc};
  return Op{.kind = kind, .mutex = kind_of(mutex), .traits = traits_of(mutex), .object = address_of(mutex), .pc = pc};
}

// What the model grants, the real mutex must grant at once. If it does not (code that we don't see has
// it, its priority ceiling is out of reach), it is right.
[[gnu::noinline]] int follow_model(int (*take)(pthread_mutex_t*), pthread_mutex_t* mutex, int granted) {
  if (granted != 0 && granted != EOWNERDEAD) return granted;
  const int error = take(mutex);
  if (error == EOWNERDEAD) put_fiber_into(mutex);
  if (error != 0 && error != EOWNERDEAD && error != EAGAIN) engine::conductor().model().forget_mutex(address_of(mutex));
  return error;
}

// An ordinary one's thread does not just go on, it was found.
int ask_for(Thread& self, const pthread_mutex_t* mutex, const Op& op) {
  return is_ordinary(mutex) ? engine::point_decided(self, op) : engine::point(self, op);
}

[[gnu::noinline]] int lock_slowly(Thread& self, pthread_mutex_t* mutex, uint64_t pc) {
  const int granted = ask_for(self, mutex, mutex_op(OpKind::kLock, mutex, pc));
  if (granted == 0 && take_ordinary(mutex, self)) return 0;
  return follow_model(real().pthread_mutex_lock, mutex, granted);
}

[[gnu::noinline]] int unlock_slowly(Thread& self, pthread_mutex_t* mutex, uint64_t pc) {
  const Op op = mutex_op(OpKind::kUnlock, mutex, pc);
  int error = ask_for(self, mutex, op);
  const bool done = error == 0 && give_back_ordinary(mutex, self);
  if (!done && (error == 0 || error == ENOTRECOVERABLE)) error = real().pthread_mutex_unlock(mutex);
  engine::point_after(self, op);
  return error;
}

void tell_races(const Thread& self, OpKind kind, const pthread_mutex_t* mutex) {
  if (__builtin_expect(races::is_on, 0)) races::performed(self, Op{.kind = kind, .object = address_of(mutex)}, 0);
}

// The rest of what is not over with the step itself. `done`: the mutex was given back.
[[gnu::noinline]] int finish_unlock(Thread& self, pthread_mutex_t* mutex, uint64_t pc, bool done) {
  const int error = done ? 0 : real().pthread_mutex_unlock(mutex);
  engine::point_after(self, mutex_op(OpKind::kUnlock, mutex, pc));
  return error;
}

// An invalid time is an error only if there is something to wait for.
int lock_until(Thread& self, pthread_mutex_t* mutex, clockid_t id, const timespec& time, uint64_t pc) {
  Inside inside(self);
  reconcile(mutex);
  Op op = mutex_op(OpKind::kLock, mutex, pc);
  const ThreadId owner = engine::conductor().model().owner(op.object);
  const bool returns = owner == kNoThread || (owner == self.id && op.mutex != MutexKind::kNormal);
  if (!clock::can_wait(id) || (!returns && !clock::is_valid(time))) return EINVAL;
  op.timed = true;
  op.deadline = clock::deadline_at(id, time);
  return follow_model(real().pthread_mutex_lock, mutex, engine::point(self, op));
}

}  // namespace

int mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes, uint64_t pc) {
  Thread* self = at_point(pc);
  if (self == nullptr) return real().pthread_mutex_init(mutex, attributes);
  Inside inside(*self);
  engine::point(*self, Op{.kind = OpKind::kMutexInit, .object = address_of(mutex), .pc = pc});
  return real().pthread_mutex_init(mutex, attributes);
}

int mutex_destroy(pthread_mutex_t* mutex, uint64_t pc) {
  Thread* self = at_point(pc);
  if (self == nullptr) return real().pthread_mutex_destroy(mutex);
  Inside inside(*self);
  engine::point(*self, Op{.kind = OpKind::kMutexDestroy, .object = address_of(mutex), .pc = pc});
  const int error = real().pthread_mutex_destroy(mutex);
  if (!is_destroyed(mutex)) engine::conductor().model().forget_destroyed(address_of(mutex));
  return error;
}

int mutex_lock(pthread_mutex_t* mutex, uint64_t pc) {
  Thread* self = at_mutex_point(mutex, OpKind::kLock, pc);
  if (__builtin_expect(self == nullptr, 0)) return real().pthread_mutex_lock(mutex);
  Inside inside(*self);
  reconcile(mutex);
  if (!is_ordinary(mutex) || !engine::step_mutex_at_once(*self, OpKind::kLock, mutex, pc))
    return lock_slowly(*self, mutex, pc);
  tell_races(*self, OpKind::kLock, mutex);
  turn::leave(*self);
  return __builtin_expect(take_ordinary(mutex, *self), 1) ? 0 : follow_model(real().pthread_mutex_lock, mutex, 0);
}

int mutex_timedlock(pthread_mutex_t* mutex, const timespec* time, uint64_t pc) {
  Thread* self = at_mutex_point(mutex, OpKind::kLock, pc);
  if (self == nullptr || !clock::is_virtual()) return real().pthread_mutex_timedlock(mutex, time);
  return lock_until(*self, mutex, CLOCK_REALTIME, *time, pc);
}

int mutex_trylock(pthread_mutex_t* mutex, uint64_t pc) {
  Thread* self = at_mutex_point(mutex, OpKind::kTryLock, pc);
  if (self == nullptr) return real().pthread_mutex_trylock(mutex);
  Inside inside(*self);
  reconcile(mutex);
  return follow_model(real().pthread_mutex_trylock, mutex, engine::point(*self, mutex_op(OpKind::kTryLock, mutex, pc)));
}

int mutex_unlock(pthread_mutex_t* mutex, uint64_t pc) {
  Thread* self = at_mutex_point(mutex, OpKind::kUnlock, pc);
  if (__builtin_expect(self == nullptr, 0)) return real().pthread_mutex_unlock(mutex);
  Inside inside(*self);
  reconcile(mutex);
  if (!is_ordinary(mutex) || !engine::step_mutex_at_once(*self, OpKind::kUnlock, mutex, pc))
    return unlock_slowly(*self, mutex, pc);
  tell_races(*self, OpKind::kUnlock, mutex);
  const bool done = give_back_ordinary(mutex, *self), also_after = done && engine::step_after(*self);
  turn::leave(*self);
  return __builtin_expect(also_after, 1) ? 0 : finish_unlock(*self, mutex, pc, done);
}

SNARL_HOOK int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
  return mutex_init(mutex, attributes, SNARL_PC);
}
SNARL_HOOK int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept { return mutex_destroy(mutex, SNARL_PC); }
SNARL_HOOK int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept { return mutex_lock(mutex, SNARL_PC); }
SNARL_HOOK int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept { return mutex_trylock(mutex, SNARL_PC); }
SNARL_HOOK int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept { return mutex_unlock(mutex, SNARL_PC); }
SNARL_HOOK int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* time) noexcept {
  return mutex_timedlock(mutex, time, SNARL_PC);
}

SNARL_HOOK int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t id, const timespec* time) noexcept {
  Thread* self = at_mutex_point(mutex, OpKind::kLock, SNARL_PC);
  if (self == nullptr || !clock::is_virtual()) return real().pthread_mutex_clocklock(mutex, id, time);
  return lock_until(*self, mutex, id, *time, SNARL_PC);
}

// Whether there is something to make consistent is for the real mutex to say.
SNARL_HOOK int pthread_mutex_consistent(pthread_mutex_t* mutex) noexcept {
  Thread* self = at_mutex_point(mutex, OpKind::kConsistent, SNARL_PC);
  if (self == nullptr) return real().pthread_mutex_consistent(mutex);
  Inside inside(*self);
  engine::point(*self, mutex_op(OpKind::kConsistent, mutex, SNARL_PC));
  return real().pthread_mutex_consistent(mutex);
}

}  // namespace snarl::runtime
