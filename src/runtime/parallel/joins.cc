// Joining and detaching: a thread that has ended is an object that is free.
#include "runtime/parallel/run.h"
#include "runtime/parallel/threads.h"
#include "runtime/parallel/waiting.h"
#include "runtime/simulated/clock.h"

namespace snarl::runtime::parallel {
namespace {

// Null: libc's to answer, with an error or because the thread isn't ours.
Member* joinable(Thread& self, pthread_t handle) {
  Desk desk(self);
  Thread* target = thread_of(handle);
  if (target == nullptr || target == &self || !occupied().has(target->id)) return nullptr;
  Member& member = member_of(*target);
  return member.detached ? nullptr : &member;
}

int try_ended(const Member& target) { return __atomic_load_n(&target.ended, __ATOMIC_ACQUIRE) ? 0 : EBUSY; }

// It has ended: its OS thread is gone, or about to be.
int collect(Thread& self, Member& target, void** result) {
  Thread& thread = *target.thread;
  thread.joinable_handle = false;
  int state = PTHREAD_CANCEL_ENABLE;
  libc().pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);  // libc's would be a cancellation point too
  const int error = libc().pthread_join(thread.handle, result);
  libc().pthread_setcancelstate(state, nullptr);
  Desk desk(self);
  vacate(thread.id);
  return error;
}

int join_until(Thread& self, Member& target, void** result, Time until) {
  arrive(self, OpKind::kJoin, &target, self.caller);
  member_of(self).entry->pending.thread =
      static_cast<ThreadId>(target.thread->ordinal);  // for the report of a deadlock
  const int error = acquire(
      self, &target, [&target] { return try_ended(target); }, until, Cancels::kYes);
  if (is_alone()) give_number_back(self);
  note(self, error == ETIMEDOUT);
  return error != 0 ? error : collect(self, target, result);
}

int join(pthread_t handle, void** result) {
  Thread* self = me();
  Member* target = self == nullptr ? nullptr : joinable(*self, handle);
  return target == nullptr ? libc().pthread_join(handle, result) : join_until(*self, *target, result, kNever);
}

int try_join(pthread_t handle, void** result) {
  Thread* self = me();
  Member* target = self == nullptr ? nullptr : joinable(*self, handle);
  if (target == nullptr) return libc().pthread_tryjoin_np(handle, result);
  arrive(*self, OpKind::kTryJoin, target, self->caller);
  const int error = try_ended(*target);
  note(*self);
  return error != 0 ? error : collect(*self, *target, result);
}

// Without a time it waits for good. A wrong one counts only if there is something to wait for.
int clock_join(pthread_t handle, void** result, clockid_t clock, const timespec* time) {
  Thread* self = me();
  Member* target = self == nullptr ? nullptr : joinable(*self, handle);
  if (target == nullptr) return libc().pthread_clockjoin_np(handle, result, clock, time);
  const bool good = time == nullptr || (clock::can_wait(clock) && is_valid(*time));
  if (!good && try_ended(*target) != 0) return EINVAL;
  return join_until(*self, *target, result, time == nullptr || !good ? kNever : time_at(clock, *time));
}

int timed_join(pthread_t handle, void** result, const timespec* time) {
  return clock_join(handle, result, CLOCK_REALTIME, time);
}

int detach(pthread_t handle) {
  Thread* self = me();
  Member* target = self == nullptr ? nullptr : joinable(*self, handle);
  if (target == nullptr) return libc().pthread_detach(handle);
  arrive(*self, OpKind::kDetach, target, self->caller);
  note(*self);
  const int error = libc().pthread_detach(handle);
  Desk desk(*self);
  target->detached = true;
  if (!target->ended) return error;
  target->thread->joinable_handle = false;
  vacate(target->thread->id);
  return error;
}

}  // namespace

void install_joins(Real& table) {
  table.pthread_join = join;
  table.pthread_tryjoin_np = try_join;
  table.pthread_timedjoin_np = timed_join;
  table.pthread_clockjoin_np = clock_join;
  table.pthread_detach = detach;
}

}  // namespace snarl::runtime::parallel
