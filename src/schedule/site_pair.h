// Two sites whose order may matter: what the policy `hold` chooses from (docs/design/search.md).
//
// A site is a place in the code with the kind of its operation, and for synchronisation calls the place that called it.
// Its name is stable across runs.
#pragma once

#include <compare>
#include <cstdint>

#include "base/hash.h"

namespace snarl {

// Both accessed one object in one run. Ordered: threads may be held before the first until the second was executed.
struct SitePair {
  uint64_t held = 0;
  uint64_t awaited = 0;

  friend constexpr auto operator<=>(const SitePair&, const SitePair&) = default;
};

constexpr uint64_t hash_of(const SitePair& pair) { return combine(pair.held, ~pair.awaited); }

// The pairs that a run may choose from, frozen per epoch: the least tried ones first.
constexpr uint32_t kMaxPairs = 4096;

}  // namespace snarl
