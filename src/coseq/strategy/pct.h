#pragma once

#include "coseq/strategy/strategy.h"

namespace snarl::coseq {

// Each lane is a run of pct (src/policy/pct.h): its own random priorities, and d - 1 steps, each uniform in 1..k, after
// which the thread that took them is lowered.
class PctStrategy : public Strategy {
 public:
  Counts counts() const override { return Counts::kLanes; }
  void fill(uint64_t seed, uint64_t group, const Shape& shape, std::span<LanePlan> lanes) const override;
};

// Parallel pct with a uniform adversary: of the enabled threads above priority d any takes the next step. The same
// guarantee, whoever the adversary is (PLDI'12, theorem 9).
class PpctStrategy final : public PctStrategy {
 public:
  void fill(uint64_t seed, uint64_t group, const Shape& shape, std::span<LanePlan> lanes) const override;
};

// At every point each enabled thread is equally likely: an adversary above all of them.
class RandomStrategy final : public Strategy {
 public:
  Counts counts() const override { return Counts::kNothing; }
  void fill(uint64_t seed, uint64_t group, const Shape& shape, std::span<LanePlan> lanes) const override;
};

}  // namespace snarl::coseq
