// Parallel PCT: pct's plan, of which only the few lowest threads are kept in order.
#pragma once

#include "policy/pct.h"

namespace snarl::policy {

// Priorities and change points as pct. All enabled threads of priority above d may run at the same time
// (serially: any of them, equally likely, takes the next step); only when there is none, the
// highest of the others does. The same guarantee as pct (PLDI'12, sections 5 and 6).
class Ppct final : public Policy {
 public:
  Traits traits(const PolicySpec&) const override { return {.parallel = true}; }
  bool begin(const Run& run, Arena& arena, Plan& plan) override {
    draw_pct_plan(run, arena, plan);
    plan.parallel_above = pct_rank(static_cast<uint64_t>(run.key.policy.values[0]));
    plan.checks_order = run.key.policy.values[3] != 0;
    return true;
  }
  void decide(const View&, Verdict&) override {}
};

}  // namespace snarl::policy
