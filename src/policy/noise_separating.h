// Separating noise: subsets of which some holds all good groups and no bad one.
#pragma once

#include "policy/noise.h"

namespace snarl::policy {

// family=random: each group with 1/2; every second run takes the complement of the one before, so that each group is in
// the subset in half of the runs. family=exact: the runs walk a family that separates any k good groups from any k bad
// ones (PADTAD'06, section 4).
class NoiseSeparating final : public NoiseMaker {
 public:
  enum Parameter { kFamily = NoiseMaker::kGroup + 1, kK };
  enum Family { kRandom, kExact };

  // The subset of family=random in the policy's nth run.
  static Subset half(const Run& run) {
    const Subset subset = Subset::drawn(key_of(run, run.key.turn / 2), 0.5);
    return run.key.turn % 2 == 0 ? subset : subset.complement();
  }

 private:
  Subset choose(const Run& run, Arena& arena, Rng&) override {
    if (static_cast<Family>(run.key.policy.values[kFamily]) == kRandom) return half(run);
    const auto* family = arena.make<SeparatingFamily>(run.groups.size(), static_cast<int>(run.key.policy.values[kK]));
    return Subset::of_family(run.groups, *family, run.key.turn % family->size(), key_of(run, run.key.turn));
  }
};

}  // namespace snarl::policy
