// White noise: at every event, with the same chance.
#pragma once

#include "policy/noise.h"

namespace snarl::policy {

// No subset: the chance of hitting all good events and no bad one falls with the number of bad ones (PADTAD'06,
// section 1.1); the other noise makers are measured against it.
class NoiseWhite final : public NoiseMaker {
 public:
  Traits traits(const PolicySpec& spec) const override {
    Traits traits = NoiseMaker::traits(spec);
    traits.groups = false;
    return traits;
  }

 private:
  Subset choose(const Run&, Arena&, Rng&) override { return Subset::all(); }
};

}  // namespace snarl::policy
