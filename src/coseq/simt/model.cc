#include "coseq/simt/model.h"

#include <algorithm>
#include <map>
#include <queue>

namespace snarl::coseq::simt {
namespace {

bool operator==(const Step& a, const Step& b) { return a.code == b.code && a.cost == b.cost; }

uint64_t useful_of(std::span<const Schedule> lanes) {
  uint64_t sum = 0;
  for (const Schedule& lane : lanes)
    for (const Step& step : lane) sum += step.cost;
  return sum;
}

// Groups of lanes with the same history, step after step: calls each(cost of the step) for each group that is left.
// Returns how many groups there are in the end.
template <typename Each>
uint32_t walk(std::span<const Schedule> lanes, Each each) {
  std::vector<std::vector<size_t>> groups(1);
  for (size_t i = 0; i < lanes.size(); ++i) groups[0].push_back(i);
  uint32_t ended = 0;
  for (size_t at = 0; !groups.empty(); ++at) {
    std::vector<std::vector<size_t>> next;
    for (const std::vector<size_t>& group : groups) {
      const size_t first = next.size();
      bool ends = false;
      for (const size_t lane : group) {
        if (at >= lanes[lane].size()) {
          ends = true;
          continue;
        }
        size_t part = first;
        while (part < next.size() && !(lanes[next[part][0]][at] == lanes[lane][at])) ++part;
        if (part == next.size()) next.emplace_back();
        next[part].push_back(lane);
      }
      ended += ends;
    }
    for (const std::vector<size_t>& group : next) each(lanes[group[0]][at].cost);
    groups = std::move(next);
  }
  return ended;
}

}  // namespace

WarpCost without_meeting(std::span<const Schedule> lanes) {
  WarpCost warp;
  if (lanes.empty()) return warp;
  warp.useful = useful_of(lanes);
  warp.distinct = walk(lanes, [&](uint32_t cost) { warp.cost += cost; });
  return warp;
}

WarpCost with_meeting(std::span<const Schedule> lanes, uint32_t scheduler) {
  WarpCost warp;
  if (lanes.empty()) return warp;
  warp.useful = useful_of(lanes);
  warp.distinct = walk(lanes, [](uint32_t) {});
  for (size_t at = 0;; ++at) {
    std::map<uint32_t, uint32_t> longest;  // by code
    for (const Schedule& lane : lanes)
      if (at < lane.size()) longest[lane[at].code] = std::max(longest[lane[at].code], lane[at].cost);
    if (longest.empty()) return warp;
    warp.cost += scheduler;
    for (const auto& [code, cost] : longest) warp.cost += cost;
  }
}

uint64_t makespan(std::span<const uint64_t> warps, size_t warps_per_block, size_t places) {
  std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> free_at;
  for (size_t i = 0; i < places; ++i) free_at.push(0);
  uint64_t last = 0;
  for (size_t begin = 0; begin < warps.size(); begin += warps_per_block) {
    const auto block = warps.subspan(begin, std::min(warps_per_block, warps.size() - begin));
    const uint64_t end = free_at.top() + *std::max_element(block.begin(), block.end());
    free_at.pop();
    free_at.push(end);
    last = std::max(last, end);
  }
  return last;
}

}  // namespace snarl::coseq::simt
