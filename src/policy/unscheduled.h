// The program as the machine runs it: made for the parallel layer, where nobody is held back.
#pragma once

#include "policy/pick.h"
#include "policy/policy.h"

namespace snarl::policy {

// `none`: serially there is no machine, so a thread runs until it blocks, then the next in order of creation.
class Unscheduled final : public Policy {
 public:
  Traits traits(const PolicySpec&) const override { return {.parallel = true}; }
  bool begin(const Run& run, Arena&, Plan& plan) override {
    if (run.settings.parallel) plan_free(run, plan);
    return run.settings.parallel;
  }
  void decide(const View& view, Verdict& verdict) override {
    verdict.first = can_stay(view) ? view.last : next_in_order(view, view.last_ordinal);
    keep_for(verdict, ~Step{0});
  }
};

}  // namespace snarl::policy
