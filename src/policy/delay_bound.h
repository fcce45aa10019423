// Delay bounding: a deterministic scheduler that is made to skip a turn a few times.
#pragma once

#include "policy/pick.h"
#include "policy/policy.h"
#include "policy/step_list.h"

namespace snarl::policy {

// Threads take turns in order of creation, each until it blocks. At up to `bound` steps, drawn
// uniformly from 1..k, the thread that took the step loses its turn to the next one; a step drawn twice
// skips two. Without a delay there is one schedule only (Emmi, Qadeer, Rakamaric, POPL'11).
class DelayBound final : public Policy {
 public:
  Traits traits(const PolicySpec& spec) const override { return {.turns = spec.values[0] == 0 ? uint64_t{1} : 0}; }
  bool begin(const Run& run, Arena& arena, Plan&) override {
    Rng rng(run.key.seed, run.key.index, Stream::kPolicy);
    steps_.draw(static_cast<size_t>(run.key.policy.values[0]), run.key.profile.steps, rng, arena);
    return false;
  }
  void decide(const View& view, Verdict& verdict) override {
    const int delays = steps_.passed(view.step);
    verdict.first = can_stay(view) ? view.last : next_in_order(view, view.last_ordinal);
    for (int i = 0; i < delays; ++i) verdict.first = next_in_order(view, view.ordinal(verdict.first));
    keep_for(verdict, steps_.quiet_after(view.step));
  }

 private:
  StepList steps_;
};

}  // namespace snarl::policy
