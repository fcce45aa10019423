#include "coseq/simt/warps.h"

#include <algorithm>

#include "base/rng.h"
#include "coseq/strategy/pct.h"

namespace snarl::coseq::simt {

std::vector<Schedule> schedules_of(Lane& lane, Scheduler& scheduler, std::span<const LanePlan> plans) {
  std::vector<Schedule> schedules;
  std::vector<TraceStep> trace;
  for (const LanePlan& plan : plans) {
    trace.clear();
    scheduler.run_plan(plan, &trace);
    const uint32_t end = lane.header().cost;
    Schedule& schedule = schedules.emplace_back();
    for (size_t i = 0; i < trace.size(); ++i) {
      const uint32_t next = i + 1 < trace.size() ? trace[i + 1].begin_cost : end;
      schedule.push_back({trace[i].places[0], next - trace[i].begin_cost});
    }
  }
  return schedules;
}

Modelled model(Lane& lane, Scheduler& scheduler, const Strategy& strategy, uint64_t seed, const Shape& shape,
               size_t warps) {
  Modelled sum;
  std::vector<LanePlan> group(strategy.group_size()), plans;
  for (uint64_t number = 0; plans.size() < warps * kWarp; ++number) {
    strategy.fill(seed, number, shape, group);
    plans.insert(plans.end(), group.begin(), group.end());
  }
  const auto parts = static_cast<double>(warps);
  for (size_t warp = 0; warp < warps; ++warp) {
    const std::span<const LanePlan> own(plans.data() + warp * kWarp, kWarp);
    const std::vector<Schedule> schedules = schedules_of(lane, scheduler, own);
    const WarpCost apart = without_meeting(schedules), meeting = with_meeting(schedules, kSchedulerCost);
    sum.cost_apart += static_cast<double>(apart.cost);
    sum.cost_meeting += static_cast<double>(meeting.cost);
    sum.efficiency_apart += apart.efficiency(kWarp) / parts;
    sum.efficiency_meeting += meeting.efficiency(kWarp) / parts;
    sum.distinct += apart.distinct / parts;
    sum.warps.push_back(apart.cost);
  }
  // What several lanes of a warp do alike is one schedule that was explored.
  sum.cost_apart /= sum.distinct * parts;
  sum.cost_meeting /= sum.distinct * parts;
  return sum;
}

Shape shape_of(Lane&, Scheduler& scheduler, uint64_t seed) {
  constexpr uint64_t kRuns = 20;
  Shape shape{1, 1, 1};
  LanePlan plan;
  for (uint64_t run = 0; run < kRuns; ++run) {
    PctStrategy().fill(seed, run, {std::max(2u, shape.threads), shape.steps, 1}, {&plan, 1});
    const Ended end = scheduler.run_plan(plan, nullptr);
    shape.threads = std::max(shape.threads, end.threads);
    shape.steps = std::max(shape.steps, end.steps);
  }
  return shape;
}

uint64_t time_of_blocks(const Modelled& modelled, uint64_t seed, size_t lanes, size_t block, size_t multiprocessors) {
  Rng rng(seed);
  std::vector<uint64_t> warps;
  for (size_t i = 0; i < lanes / kWarp; ++i) warps.push_back(modelled.warps[rng.below(modelled.warps.size())]);
  return makespan(warps, block / kWarp, multiprocessors * kLanesAtOnce / block);
}

}  // namespace snarl::coseq::simt
