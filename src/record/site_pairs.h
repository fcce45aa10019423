// The pairs of sites that the policy `hold` chooses from: read from the wire, collected, frozen and handed to its runs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "schedule/site_pair.h"
#include "wire/layout.h"

namespace snarl::record {

using SitePairs = std::vector<SitePair>;

// What a run left in the wire.
SitePairs read_pairs(const wire::Layout& layout);

// Into the wire, for the next run, whose policy had `since` turns when the pairs were frozen.
void write_pairs(const SitePairs* pairs, uint64_t since, wire::Layout& layout);

// All pairs met so far, with how often each was tried. What it holds does not depend on the order in which runs came.
class PairTable {
 public:
  static constexpr size_t kMost = 1 << 16;

  void learn(const SitePairs& pairs);
  // `pairs` is a result of freeze(), of which the runs of its epoch have made so many draws (schedule/pair_tour.h).
  void note_tried(const SitePairs& pairs, uint64_t seed, uint64_t epoch, uint64_t draws);
  // Those to choose from in the next epoch: the least tried first, in an order that depends on the seed.
  std::shared_ptr<const SitePairs> freeze(uint64_t seed) const;

 private:
  std::map<SitePair, uint64_t> tried_;
};

}  // namespace snarl::record
