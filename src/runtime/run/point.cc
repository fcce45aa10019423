#include "runtime/run/point.h"

#include <cerrno>

#include "runtime/run/cancel.h"
#include "runtime/run/step.h"
#include "runtime/simulated/outside.h"
#include "runtime/simulated/signals.h"

namespace snarl::runtime::engine {
namespace {

// The step was a signal's. 0 if the thread is to go on with what it had arrived at.
[[gnu::noinline, gnu::cold]] int handle_signal(Thread& self) {
  model::Model& model = conductor().model();
  const model::Model::Interruption interruption = model.interruption(self.id);
  const bool awaits = interruption.op.kind == OpKind::kIo;
  const Readiness* readiness = self.awaits;
  if (awaits) stop_awaiting(self);
  turn::leave(self);
  const int error = signals::deliver(self, interruption.op.interrupts);
  enter(self);
  if (error == EINTR)
    model.give_up(self.id, interruption);
  else
    model.resume(self.id, interruption);
  if (awaits) start_awaiting(self, *readiness);
  turn::leave(self);
  return error;
}

// A deadline that was far ahead when it was first set stays so: whoever was woken for nothing, or by a signal, sets it
// again.
[[gnu::noinline, gnu::cold]] void note_deadline(Thread& self, const Op& op) {
  model::Model& model = conductor().model();
  if (model.is_far(op.deadline)) self.far_deadline = op.deadline;
  if (op.deadline == self.far_deadline && op.kind != OpKind::kSleep) model.note_was_far(self.id);
}

// As Conductor::step_at_once(), in a traced run.
[[gnu::noinline, gnu::cold]] bool goes_on_traced(Thread& self, const Op& op) {
  const Step before = conductor().step();
  if (!conductor().step_traced(self.id, op)) return false;
  parts::trace_taken(self, op, 0, before);
  parts::performed(self, op, 0);
  debugger::note_step();
  turn::leave(self);
  return true;
}

// The rest of a point at which the thread does not just go on.
[[gnu::noinline]] int step_inside(Thread& self, const Op& op) {
  if (parts::is_traced() && goes_on_traced(self, op)) return 0;
  for (;;) {
    if (__builtin_expect(op.timed, 0)) note_deadline(self, op);
    hand_over(self, conductor().arrive(self.id, op));
    const int result = take(self, op);
    publish_counters();
    if (result != model::kInterrupted) {
      turn::leave(self);
      return result;
    }
    if (const int error = handle_signal(self)) return error;
    enter(self);
    signals::note_come();
  }
}

}  // namespace

int point_decided(Thread& self, const Op& op) {
  if (__builtin_expect(self.cancel_anywhere, 0) && !self.cancel_off && (op.traits & kCancellable) == 0)
    return cancel::point(self, op);
  enter(self);
  signals::note_come();
  return step_inside(self, op);
}

int point(Thread& self, const Op& op) {
  if (__builtin_expect(self.cancel_anywhere, 0)) return point_decided(self, op);
  enter(self);
  signals::note_come();
  if (!conductor().step_at_once(self.id, op)) return step_inside(self, op);
  parts::performed(self, op, 0);
  turn::leave(self);
  return 0;
}

void point_after(Thread& self, const Op& did) {
  if (__builtin_expect(quiet::step(self), 1)) return;
  Op op{.kind = OpKind::kAfter, .object = did.object, .pc = did.pc};
  set_small_fields(op, did.kind, 0, did.thread);
  point_decided(self, op);
}

uint64_t performed(Thread& self, uint64_t object, MemoryOrder order) {
  return parts::is_traced() ? trace_performed(self, object, order) : 0;
}

}  // namespace snarl::runtime::engine
