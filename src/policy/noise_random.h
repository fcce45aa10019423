// Random noise: how many groups make noise is drawn anew for each run.
#pragma once

#include "policy/noise.h"

namespace snarl::policy {

// The best `pick` is not known; one that is near it comes soon if it is uniform in (0, 1) (PADTAD'06, section 4.1).
// A fixed `pick` is what the paper's figure 6 is made with.
class NoiseRandom final : public NoiseMaker {
 public:
  enum Parameter { kPick = NoiseMaker::kGroup + 1 };  // 0: drawn

 private:
  Subset choose(const Run& run, Arena&, Rng& rng) override {
    const double fixed = run.key.policy.values[kPick];
    return Subset::drawn(key_of(run, run.key.index), fixed > 0 ? fixed : uniform(rng));
  }
  // In (0, 1): 2^53 equally likely values, none of them an end.
  static double uniform(Rng& rng) { return (static_cast<double>(rng.next() >> 11) + 0.5) / 9007199254740992.0; }
};

}  // namespace snarl::policy
