// The uniform random walk: at every point, each enabled thread is equally likely.
#pragma once

#include "policy/pick.h"
#include "policy/policy.h"

namespace snarl::policy {

class RandomWalk final : public Policy {
 public:
  bool begin(const Run& run, Arena&, Plan&) override {
    rng_ = Rng(run.key.seed, run.key.index, Stream::kPolicy);
    return false;
  }
  void decide(const View& view, Verdict& verdict) override { verdict.first = any_of(view.enabled, rng_); }

 private:
  Rng rng_;
};

}  // namespace snarl::policy
