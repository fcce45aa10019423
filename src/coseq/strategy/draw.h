// Draws that strategies have in common.
#pragma once

#include <algorithm>
#include <utility>

#include "base/rng.h"
#include "coseq/strategy/strategy.h"

namespace snarl::coseq {

// n threads, d - 1 changes, and a uniformly random permutation of the priorities d .. d + n - 1.
inline void draw_priorities(Rng& rng, const Shape& shape, LanePlan& plan) {
  plan.threads = std::min<uint32_t>(shape.threads, kPlanThreads);
  plan.changes = std::min<uint32_t>(shape.depth - 1, kPlanChanges);
  plan.adversary_above = kNoAdversary;
  for (uint32_t i = 0; i < plan.threads; ++i) plan.ranks[i] = static_cast<unsigned short>(plan.changes + 1 + i);
  for (size_t i = plan.threads; i > 1; --i) std::swap(plan.ranks[i - 1], plan.ranks[rng.below(i)]);
}

inline void draw_seeds(Rng& rng, LanePlan& plan) {
  plan.insert = rng.next();
  plan.adversary = rng.next();
}

}  // namespace snarl::coseq
