#include "runtime/run/parts.h"

#include "runtime/simulated/signals.h"
#include "runtime/state/refuse.h"
#include "runtime/truth/misuse.h"

namespace snarl::runtime::parts {

void trace_taken(Thread& self, const Op& op, int result, Step before) {
  const Op did = result == model::kInterrupted ? signals::handler_op(self, op) : op;
  const Step counted = engine::conductor().step() - before;
  trace_step(self, did, result == model::kInterrupted ? 0 : result, under_way.switched, counted);
}

void look_at_misuse(Thread& self, const Op& op, int result, Step before) {
  const Misuse misuse = engine::conductor().model().misuse();
  const bool ends = consider_misuse(self, misuse) && ends_run(misuse);
  if (is_traced()) trace_taken(self, op, result, before);
  if (ends) end_process();
}

}  // namespace snarl::runtime::parts
