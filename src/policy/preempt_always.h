// Preempts at every point: another enabled thread, each equally likely, takes every step.
#pragma once

#include "policy/pick.h"
#include "policy/policy.h"

namespace snarl::policy {

// Finds bugs that need many switches, and hardly any that need a thread to run for long
// (PLDI'12, section 3.2).
class PreemptAlways final : public Policy {
 public:
  bool begin(const Run& run, Arena&, Plan&) override {
    rng_ = Rng(run.key.seed, run.key.index, Stream::kPolicy);
    return false;
  }
  void decide(const View& view, Verdict& verdict) override { verdict.first = any_other(view, rng_); }

 private:
  Rng rng_;
};

}  // namespace snarl::policy
