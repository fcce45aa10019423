// The warps of a strategy, run on the host step by step, so that the model can say what they would cost.
#pragma once

#include <span>
#include <vector>

#include "coseq/host/scheduler.h"
#include "coseq/simt/model.h"
#include "coseq/strategy/strategy.h"

namespace snarl::coseq::simt {

// Of all warps of one strategy at one depth.
struct Modelled {
  double cost_apart = 0, cost_meeting = 0;              // instructions of a warp for each of its different schedules
  double efficiency_apart = 0, efficiency_meeting = 0;  // 0..1
  double distinct = 0;                                  // schedules of a warp
  std::vector<uint64_t> warps;                          // cost of each, without meeting
};

// What the scheduler costs when all lanes come back to it, in instructions.
constexpr uint32_t kSchedulerCost = 20;
constexpr size_t kWarp = 32;
// Lanes that a multiprocessor has room for: sixteen blocks of one warp, the most that Kepler's take, or one of 512.
constexpr size_t kLanesAtOnce = 512;

// The lane counts its instructions (Sources::counts_cost).
std::vector<Schedule> schedules_of(Lane& lane, Scheduler& scheduler, std::span<const LanePlan> plans);

// Lanes of groups that are smaller than a warp stand side by side; of larger ones each 32 are a warp.
Modelled model(Lane& lane, Scheduler& scheduler, const Strategy& strategy, uint64_t seed, const Shape& shape,
               size_t warps);

// The most threads and steps of some random schedules: what plans are drawn for.
Shape shape_of(Lane& lane, Scheduler& scheduler, uint64_t seed);

// Time for `lanes` lanes in blocks of that many, by warps drawn again from those that were modelled.
uint64_t time_of_blocks(const Modelled& modelled, uint64_t seed, size_t lanes, size_t block, size_t multiprocessors);

}  // namespace snarl::coseq::simt
