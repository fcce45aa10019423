#pragma once

#include "coseq/strategy/strategy.h"

namespace snarl::coseq {

// Lanes whose schedules part as late as possible, and each of which is nevertheless exactly a run of pct.
//
// After ACT (SINECOSEQ): the lanes of a group share their priorities. Their points are sorted; lane l's first d - 2
// points are chosen by the bits of l from the highest, so that at each point half of the lanes that were together part
// from the others; the last point is each lane's own. Unlike ACT as printed, the law of one lane is that of pct with
// distinct points: the i-th point is drawn as the least of a uniform set of d - i steps after the one before, which
// telescopes to 1/C(k, d-1) for each set of points, and one random order of the low priorities is shared by the group.
class Uact final : public Strategy {
 public:
  explicit Uact(uint32_t lanes = 32) : lanes_(lanes) {}
  Counts counts() const override { return Counts::kGroups; }
  uint32_t group_size() const override { return lanes_; }
  void fill(uint64_t seed, uint64_t group, const Shape& shape, std::span<LanePlan> lanes) const override;

 private:
  uint32_t lanes_;
};

}  // namespace snarl::coseq
