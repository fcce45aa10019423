#pragma once

#include "coseq/strategy/strategy.h"

namespace snarl::coseq {

// Accelerated concurrency testing with delayed divergence, as printed (SINECOSEQ, algorithms 1 to 3).
//
// The lanes of a group share their priorities. 2 (d - 2) + W / 2^(d-2) different steps are drawn and sorted; the first
// d - 2 pairs and the last tuple are cut from that list in order. The half of its group that a lane is in says which of
// a pair it takes, and its number in the last group which of the tuple. The i-th step of a lane lowers to d - i, so
// later ones always lower more. At depth 1 all lanes of a group run one schedule.
//
// Mended where the print can't be meant: halves are counted from 0 (floor for ceil), each lane has its own copy of the
// priorities, the last tuple has W / 2^(d-2) members, a program with fewer steps than are drawn has some of them twice,
// and groups of more than one warp go deeper than 7.
//
// No guarantee: of the orders of the low priorities only one can be, and neighbouring steps exclude one another
// (docs/lanes.md has what that can't find). So nothing of it is counted for a bound.
class Act final : public Strategy {
 public:
  explicit Act(uint32_t lanes = 32, uint32_t depth = 3);
  Counts counts() const override { return Counts::kNothing; }
  uint32_t group_size() const override { return lanes_; }
  void fill(uint64_t seed, uint64_t group, const Shape& shape, std::span<LanePlan> lanes) const override;

 private:
  uint32_t lanes_;
};

}  // namespace snarl::coseq
