// Condition variables: nobody waits on the real object; its waiters are listed at the desk,
// and a signalled one is handed on to the list of its mutex.
#include <errno.h>

#include "runtime/parallel/mutex.h"
#include "runtime/parallel/run.h"

namespace snarl::runtime::parallel {
namespace {

constexpr unsigned kMonotonicBit = 2;  // of glibc's flags in the object

// Listed before the mutex is free: a signal from then on finds the thread.
int release_and_list(Thread& self, pthread_cond_t* condvar, pthread_mutex_t* mutex, Time until, uint64_t pc) {
  Desk desk(self);
  if (is_asked_to_end(self)) return ECANCELED;
  desk.enlist(condvar, mutex);
  note(self);
  if (const int error = libc().pthread_mutex_unlock(mutex)) {
    desk.withdraw();
    return error;
  }
  publish(member_of(self), Op{.kind = OpKind::kReacquire, .object = reinterpret_cast<uint64_t>(condvar), .pc = pc});
  desk.wake_one(mutex);
  member_of(self).ends_wait = true;
  desk.block_timed(until);
  return 0;
}

int wait_until(Thread& self, pthread_cond_t* condvar, pthread_mutex_t* mutex, Time until) {
  const uint64_t pc = self.caller;
  Member& member = member_of(self);
  arrive(self, OpKind::kWait, condvar, pc);
  int error = release_and_list(self, condvar, mutex, until, pc);
  if (error == ECANCELED) {
    end_if_asked(self);
    error = release_and_list(self, condvar, mutex, until, pc);
  }
  if (error != 0) return error;
  const bool woken = sleep(self);
  const bool signalled = woken || member.then == 0;  // handed on, and late only for the mutex
  arrive(self, OpKind::kReacquire, condvar, pc);
  error = take(self, mutex);
  note(self, !signalled);
  if (member.then != 0) end_if_asked(self);  // with the mutex, as its cleanup handlers expect, and without a signal
  return error != 0 ? error : (signalled ? 0 : ETIMEDOUT);
}

int wait(pthread_cond_t* condvar, pthread_mutex_t* mutex) {
  Thread* self = me();
  return self == nullptr ? libc().pthread_cond_wait(condvar, mutex) : wait_until(*self, condvar, mutex, kNever);
}

int timed_wait(pthread_cond_t* condvar, pthread_mutex_t* mutex, const timespec* time) {
  Thread* self = me();
  if (self == nullptr) return libc().pthread_cond_timedwait(condvar, mutex, time);
  if (!is_valid(*time)) return EINVAL;
  const bool monotonic = (condvar->__data.__wrefs & kMonotonicBit) != 0;
  const Time until = time_at(monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, *time);
  return wait_until(*self, condvar, mutex, until);
}

int clock_wait(pthread_cond_t* condvar, pthread_mutex_t* mutex, clockid_t clock, const timespec* time) {
  Thread* self = me();
  if (self == nullptr) return libc().pthread_cond_clockwait(condvar, mutex, clock, time);
  if (!is_valid(*time)) return EINVAL;
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  const Time until = time_at(clock, *time);
  return wait_until(*self, condvar, mutex, until);
}

int wake(pthread_cond_t* condvar, OpKind kind, uint64_t count) {
  Thread& self = *current;
  const uint64_t pc = self.caller;
  arrive(self, kind, condvar, pc);
  note(self);
  if (anybody_listed(condvar)) {
    Desk desk(self);
    note_again(self);
    desk.signal(condvar, count);
  }
  arrive_after(self, kind, condvar, pc);
  return 0;
}

int signal(pthread_cond_t* condvar) {
  return me() == nullptr ? libc().pthread_cond_signal(condvar) : wake(condvar, OpKind::kSignal, 1);
}

int broadcast(pthread_cond_t* condvar) {
  return me() == nullptr ? libc().pthread_cond_broadcast(condvar) : wake(condvar, OpKind::kBroadcast, ~uint64_t{0});
}

int init(pthread_cond_t* condvar, const pthread_condattr_t* attributes) {
  if (Thread* self = me()) {
    arrive(*self, OpKind::kCondInit, condvar, self->caller);
    note(*self);
  }
  return libc().pthread_cond_init(condvar, attributes);
}

int destroy(pthread_cond_t* condvar) {
  if (Thread* self = me()) {
    arrive(*self, OpKind::kCondDestroy, condvar, self->caller);
    note(*self);
  }
  return libc().pthread_cond_destroy(condvar);
}

}  // namespace

void install_condvars(Real& table) {
  table.pthread_cond_wait = wait;
  table.pthread_cond_timedwait = timed_wait;
  table.pthread_cond_clockwait = clock_wait;
  table.pthread_cond_signal = signal;
  table.pthread_cond_broadcast = broadcast;
  table.pthread_cond_init = init;
  table.pthread_cond_destroy = destroy;
}

}  // namespace snarl::runtime::parallel
