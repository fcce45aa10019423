// Signals. A thread takes a signal as a step of its own at its next arrival, or where it waits (docs/rules.md, rule
// 10): it leaves its pending operation, runs the handler, and returns to the operation.
#include "model/model.h"

namespace snarl::model {

void Model::interrupt(ThreadId t) {
  threads_[t].interrupted = true;
  set_apart(t);
  set_enabled(t, can_run(t));
}

// libc runs no handler before a thread's start routine or after its destructors. A wait that has timed out is over: the
// signal is for the next arrival.
bool Model::is_interrupted(ThreadId t) const {
  const OpKind kind = slots_[t].pending.kind;
  return __builtin_expect(threads_[t].interrupted, 0) && threads_[t].ends == Ending::kNone && kind != OpKind::kStart &&
         kind != OpKind::kExit;
}

// Waiters stay in their queue: they may still get a signal of the condition variable.
int Model::perform_interrupted(ThreadId t) {
  threads_[t].interrupted = false;
  if (Object* object = objects_.find(slots_[t].pending.object)) refresh(*object);  // readers that waited for a writer
  return kInterrupted;
}

void Model::resume(ThreadId t, const Interruption& interruption) {
  --threads_[t].handlers;
  threads_[t].waits_since = interruption.waits_since;
  threads_[t].round = interruption.round;
}

void Model::give_up(ThreadId t, const Interruption& interruption) {
  resume(t, interruption);
  slots_[t].pending = interruption.op;
  leave_queue(t);
}

}  // namespace snarl::model
