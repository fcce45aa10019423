// Best noise: as many groups as are best if one is good and the bad ones are a part of the program.
#pragma once

#include "policy/noise.h"

namespace snarl::policy {

// With one good group of n and c n bad ones, pick = 1 / (1 + c n) makes a subset with the good one and no bad one most
// likely (PADTAD'06, claim 2 and section 4.1). c near 1/3 was best there.
class NoiseBest final : public NoiseMaker {
 public:
  enum Parameter { kC = NoiseMaker::kGroup + 1 };

  static double pick(double c, size_t groups) { return 1 / (1 + c * static_cast<double>(groups)); }

 private:
  Subset choose(const Run& run, Arena&, Rng&) override {
    return Subset::drawn(key_of(run, run.key.index), pick(run.key.policy.values[kC], run.groups.size()));
  }
};

}  // namespace snarl::policy
