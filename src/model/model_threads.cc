// Threads: end, join, detach.
#include <cerrno>

#include "model/model.h"

namespace snarl::model {

int Model::perform_exit(ThreadId t) {
  live_.take_out(t);
  enabled_.take_out(t);
  --live_count_;
  threads_[t].ended = true;
  orphan_mutexes(t);
  if (__builtin_expect(threads_[t].detached, 0))
    occupied_.take_out(t);
  else if (threads_[t].joiner != kNoThread)
    set_enabled(threads_[t].joiner, true);
  return 0;
}

// What the thread still holds stays locked for good, unless it is robust. But the thread's slot may soon name another
// thread.
void Model::orphan_mutexes(ThreadId t) {
  objects_.for_each([this, t](Object& object) {
    if (__builtin_expect(object.rwlock.has_holders(), 0)) object.rwlock.orphan(t);
    if (__builtin_expect(object.mutex.owner == t, 0)) orphan(object);
  });
}

void Model::orphan(Object& object) {
  object.mutex.owner_ended();
  refresh(object);
}

// What a join would return; 0 means that it waits for the end of the thread and succeeds.
int Model::join_result(ThreadId t) const {
  const ThreadId target = slots_[t].pending.thread;
  if (__builtin_expect(target == kNoThread || !occupied_.has(target), 0)) return ESRCH;
  if (__builtin_expect(threads_[target].detached, 0)) return EINVAL;
  const bool circle =
      target == t || threads_[t].joiner == target;  // glibc notices a circle of two threads, not a longer one
  if (__builtin_expect(circle, 0)) return EDEADLK;
  const ThreadId joiner = threads_[target].joiner;
  return __builtin_expect(joiner == kNoThread || joiner == t, 1) ? 0 : EINVAL;
}

bool Model::join_returns(ThreadId t) const { return join_result(t) != 0 || threads_[slots_[t].pending.thread].ended; }

int Model::perform_join(ThreadId t) {
  const int error = join_result(t);
  if (error != 0) return error;
  Thread& target = threads_[slots_[t].pending.thread];
  target.joined_by = slots_[t].ordinal;
  target.join_pc = slots_[t].pending.pc;
  occupied_.take_out(slots_[t].pending.thread);
  return 0;
}

// A thread's end, or a join with a thread that has ended and that no other thread is joining.
bool Model::end_at_once(ThreadId t, const Op& op) {
  if (op.kind == OpKind::kExit) return perform_exit(t) == 0;
  const ThreadId target = op.thread;
  if (__builtin_expect(target == kNoThread || target == t || !occupied_.has(target), 0)) return false;
  Thread& thread = threads_[target];
  if (!thread.ended || __builtin_expect(thread.detached || thread.joiner != kNoThread, 0)) return false;
  thread.joined_by = slots_[t].ordinal;
  thread.join_pc = op.pc;
  occupied_.take_out(target);
  return true;
}

// Does its pending operation end because of a request for cancellation? A join that can succeed does, as in glibc. At
// any other cancellation point the request comes first.
bool Model::is_cancelled(ThreadId t) const {
  if (__builtin_expect(!threads_[t].cancelled, 1) || (slots_[t].pending.traits & kCancellable) == 0) return false;
  return threads_[t].ends == Ending::kNone && !(slots_[t].pending.kind == OpKind::kJoin && join_returns(t));
}

// A thread that waits at a cancellation point becomes enabled, if only to end.
int Model::perform_cancel(ThreadId by, ThreadId target) {
  if (target == kNoThread || !occupied_.has(target)) return ESRCH;
  threads_[target].cancelled = true;
  if (target == by || !live_.has(target) || !is_cancelled(target)) return 0;
  end_early(target, Ending::kCancelled);
  set_enabled(target, can_run(target));
  return 0;
}

int Model::perform_detach(ThreadId t) {
  const ThreadId target = slots_[t].pending.thread;
  if (target == kNoThread || !occupied_.has(target)) return ESRCH;
  if (threads_[target].detached) return EINVAL;
  if (threads_[target].joiner != kNoThread) return 0;  // as in glibc: it belongs to its joiner
  threads_[target].detached = true;
  threads_[target].detached_by = slots_[t].ordinal;
  threads_[target].detach_pc = slots_[t].pending.pc;
  if (threads_[target].ended) occupied_.remove(target);
  return 0;
}

}  // namespace snarl::model
