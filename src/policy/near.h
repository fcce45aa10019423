// Stays near a recording that can't be followed exactly.
#pragma once

#include "policy/policy.h"

namespace snarl::policy {

// Switches where the recording does, by the steps that each thread has taken; where it does not fit,
// and now and then by chance, any enabled thread may run. For failures of parallel runs, whose
// threads also met where nothing was recorded.
class Near final : public Policy {
 public:
  bool begin(const Run& run, Arena&, Plan&) override {
    rng_ = Rng(run.key.seed, run.key.index, Stream::kSearch);
    recording_ = run.follow;
    // A different distance in every run: from almost the recording to one switch in sixteen.
    stray_ = ~uint64_t{0} >> (4 + rng_.below(8));
    return false;
  }
  void decide(const View& view, Verdict& verdict) override;

 private:
  Rng rng_;
  uint64_t stray_ = 0;
  std::span<const Decision> recording_;
  size_t at_ = 0;
};

}  // namespace snarl::policy
