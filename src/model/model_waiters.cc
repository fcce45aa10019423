// Which threads are to be looked at when an object changes, and what that means for them.
#include "base/check.h"
#include "model/model.h"

namespace snarl::model {

bool Model::link(ThreadId t, uint64_t address) {
  Object* object = objects_.find_or_make(address);
  if (object == nullptr) return false;
  if (slots_[t].pending.kind == OpKind::kReacquire)
    object->pending.add(t);  // waits to be woken
  else
    admit(t, *object);
  return true;
}

void Model::unlink(ThreadId t, uint64_t address) {
  Object* object = objects_.find(address);
  SNARL_CHECK(object != nullptr);
  object->pending.remove(t);
  object->alike.remove(t);
}

void Model::admit(ThreadId t, Object& object) {
  const OpKind as = waits_as(t);
  if (as == OpKind::kNone || (object.alike_as != as && !object.alike.empty())) return object.pending.add(t);
  object.alike.add(t);
  object.alike_as = as;
}

// The operation that waits in the same way if nothing but the object decides whether `t` waits; otherwise kNone.
OpKind Model::waits_as(ThreadId t) const {
  const Op& op = slots_[t].pending;
  const bool takes = op.kind == OpKind::kLock || op.kind == OpKind::kReacquire;
  const bool is_simple = takes ? op.mutex == MutexKind::kNormal : op.kind == OpKind::kSemWait;
  if (!is_simple || op.timed || threads_[t].interrupted || threads_[t].ends != Ending::kNone) return OpKind::kNone;
  return takes ? OpKind::kLock : OpKind::kSemWait;
}

// A signal, a deadline or a request to end lets `t` return, whatever the object says.
void Model::set_apart(ThreadId t) {
  const Op& op = slots_[t].pending;
  Object* object = objects_.find(op.kind == OpKind::kReacquire ? op.second : op.object);
  if (object == nullptr || !object->alike.has(t)) return;
  object->alike.remove(t);
  object->pending.add(t);
}

bool Model::link_mutex(uint64_t address) {
  Object* mutex = objects_.find_or_make(address);
  if (mutex == nullptr) return false;
  ++mutex->sleepers;
  return true;
}

void Model::unlink_mutex(ThreadId t, uint64_t address) {
  unlink(t, address);
  --objects_.find(address)->sleepers;
}

// A thread that was woken waits for the mutex. Before that it is not among those to look at when the mutex changes: a
// hundred workers that sleep cost those that work nothing.
bool Model::reacquire_returns(ThreadId t) {
  const Op& op = slots_[t].pending;
  const Thread& thread = threads_[t];
  const bool woken =
      thread.ends != Ending::kNone || objects_.find(op.object)->queue.may_wake(tokens_, thread.waits_since);
  Object& mutex = *objects_.find(op.second);
  const bool waits = mutex.pending.has(t) || mutex.alike.has(t);
  if (woken && !waits) admit(t, mutex);
  if (!woken && waits && op.object != op.second) unlink(t, op.second);
  return woken && mutex.mutex.lock_returns(op.mutex, t);
}

void Model::set_enabled(ThreadId t, bool enabled) {
  if (enabled == enabled_.has(t)) return;
  enabled_.put(t, enabled);
  gained_.put(t, enabled);
  if (!is_timer(t) && timed_.has(t)) refresh_timers();
}

// As set_enabled() of each. None of them has a deadline.
void Model::set_all_enabled(const ThreadSet& threads, bool enabled) {
  if (enabled) {
    gained_.add_all(threads.minus(enabled_));
    enabled_.add_all(threads);
  } else {
    if (__builtin_expect(!gained_.empty(), 0)) gained_.remove_all(threads.common(enabled_));
    enabled_.remove_all(threads);
  }
}

void Model::refresh(const Object& object) {
  if (!object.alike.empty()) set_all_enabled(object.alike, can_run(object.alike.first()));
  object.pending.for_each([this](ThreadId t) { set_enabled(t, can_run(t)); });
}

}  // namespace snarl::model
