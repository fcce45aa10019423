// Many lanes at once, somewhere else. What did not pass there is run on the host again, which says what it is.
#pragma once

#include <span>
#include <vector>

#include "base/error.h"
#include "coseq/strategy/lane_plan.h"

namespace snarl::coseq {

struct Batch {
  uint64_t passed = 0;              // lanes
  uint32_t steps = 0, threads = 0;  // the most of one lane
  struct Other {
    uint32_t lane;  // its place among the plans
    uint32_t end;   // LaneEnd
  };
  std::vector<Other> others;      // lanes that the host has to run, by their places
  std::vector<uint8_t> distinct;  // registers of DistinctCount, over the lanes that passed
};

class BatchRunner {
 public:
  virtual ~BatchRunner() = default;
  // Begins with the first plans that there are: how much memory a lane needs is learnt from some of them.
  virtual Status begin(std::span<const LanePlan> first) = 0;
  // At once. 0: not begun yet.
  virtual uint32_t lanes() const = 0;
  virtual Expected<Batch> run(std::span<const LanePlan> plans) = 0;
};

}  // namespace snarl::coseq
