#include "runtime/run/parts.h"

#include "runtime/simulated/signals.h"
#include "runtime/state/refuse.h"
#include "runtime/truth/misuse.h"

namespace snarl::runtime::parts {

void trace_taken(Thread& self, const Op& op, int result, Step before) {
  const Step counted = engine::conductor().step() - before;
  const Reason switched = under_way.switched;
  if (result == model::kInterrupted) return trace_step(self, signals::handler_op(self, op), 0, switched, counted);
  trace_step(self, op, result, switched, counted);
}

// The step was that of a signal's handler, or the operation's own.
void tell_races(const Thread& self, const Op& op, int result) {
  races::performed(self, result == model::kInterrupted ? Op{.kind = OpKind::kHandler} : op, result);
}

void look_at_misuse(Thread& self, const Op& op, int result, Step before) {
  const Misuse misuse = engine::conductor().model().misuse();
  const bool ends = consider_misuse(self, misuse) && ends_run(misuse);
  if (is_traced()) trace_taken(self, op, result, before);
  if (ends) end_process();
}

}  // namespace snarl::runtime::parts
