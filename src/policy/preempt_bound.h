// Preemption bounding: a few random preemptions, and otherwise threads run until they block.
#pragma once

#include "policy/pick.h"
#include "policy/policy.h"
#include "policy/step_list.h"

namespace snarl::policy {

// `bound` different steps, uniform in 1..k, are preemptions: the thread that took the step gives
// way to another enabled one, each equally likely. When a thread blocks or ends, the next
// is random as well (PLDI'12, section 3.2). Without a preemption no bug is found whose
// failure needs one.
class PreemptBound final : public Policy {
 public:
  bool begin(const Run& run, Arena& arena, Plan&) override {
    rng_ = Rng(run.key.seed, run.key.index, Stream::kPolicy);
    steps_.draw_different(static_cast<size_t>(run.key.policy.values[0]), run.key.profile.steps, rng_, arena);
    return false;
  }
  void decide(const View& view, Verdict& verdict) override {
    const bool preempt = steps_.passed(view.step) > 0;
    verdict.first = can_stay(view) && !preempt ? view.last : any_other(view, rng_);
    keep_for(verdict, steps_.quiet_after(view.step));
  }

 private:
  Rng rng_;
  StepList steps_;
};

}  // namespace snarl::policy
