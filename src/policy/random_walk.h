// The uniform random walk: at every point, each enabled thread is equally likely.
#pragma once

#include "policy/policy.h"

namespace snarl {

class RandomWalk final : public Policy {
 public:
  bool begin(const Run& run, Arena&, Plan&) override {
    rng_ = Rng(run.seed, run.index, Stream::kPolicy);
    return false;
  }
  void decide(const View& view, Verdict& verdict) override {
    verdict.first = view.enabled.nth(static_cast<int>(rng_.below(static_cast<uint64_t>(view.enabled.size()))));
  }

 private:
  Rng rng_;
};

}  // namespace snarl
