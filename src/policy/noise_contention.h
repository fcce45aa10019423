// Contention noise: all noise of a run is at one shared variable.
#pragma once

#include "policy/noise.h"

namespace snarl::policy {

// One variable per run, in turn; or the one that the user names, if its part in the bug is known (PADTAD'06, section
// 5.2). Then the run is handed that variable's groups only.
class NoiseContention final : public NoiseMaker {
 public:
  Traits traits(const PolicySpec& spec) const override {
    Traits traits = NoiseMaker::traits(spec);
    traits.group_by = GroupBy::kVariable;
    return traits;
  }

 private:
  Subset choose(const Run& run, Arena&, Rng&) override {
    const bool named = run.key.policy.file[0] != '\0';
    if (named || run.groups.empty()) return Subset::only(run.groups);
    return Subset::only(run.groups.subspan(run.key.turn % run.groups.size(), 1));
  }
};

}  // namespace snarl::policy
