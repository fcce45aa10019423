#include "coseq/strategy/act.h"

#include <vector>

#include "coseq/strategy/draw.h"

namespace snarl::coseq {
namespace {

// `count` different steps of 1 .. steps, sorted; if there are fewer, each of them as often as it takes.
std::vector<unsigned> sorted_steps(Rng& rng, uint64_t steps, size_t count) {
  std::vector<unsigned> drawn;
  while (drawn.size() < count) {
    const size_t left = count - drawn.size();
    if (left >= steps) {
      for (uint64_t step = 1; step <= steps; ++step) drawn.push_back(static_cast<unsigned>(step));
      continue;
    }
    const auto begin = static_cast<std::ptrdiff_t>(drawn.size());
    for (size_t i = 0; i < left; ++i) {  // R. W. Floyd's sample without replacement
      const uint64_t last = steps - left + i + 1;
      const auto one = static_cast<unsigned>(1 + rng.below(last));
      const bool is_new = std::find(drawn.begin() + begin, drawn.end(), one) == drawn.end();
      drawn.push_back(is_new ? one : static_cast<unsigned>(last));
    }
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

}  // namespace

// Each pair halves the group: a lane that is alone needs no more of them.
Act::Act(uint32_t lanes, uint32_t depth) : lanes_(std::max(lanes, depth < 2 ? 1u : 1u << (depth - 2))) {}

void Act::fill(uint64_t seed, uint64_t group, const Shape& shape, std::span<LanePlan> lanes) const {
  Rng rng(seed, group, Stream::kPolicy);
  LanePlan& first = lanes[0];
  draw_priorities(rng, shape, first);
  for (unsigned i = 0; i < first.changes; ++i) first.targets[i] = static_cast<unsigned short>(first.changes - i);
  draw_seeds(rng, first);
  std::fill(lanes.begin() + 1, lanes.end(), first);
  if (first.changes == 0) return;
  const unsigned pairs = first.changes - 1;
  const size_t last = lanes.size() >> pairs;
  const std::vector<unsigned> steps = sorted_steps(rng, shape.steps, 2 * pairs + last);
  for (size_t lane = 0; lane < lanes.size(); ++lane) {
    for (size_t i = 0, half = lanes.size() / 2; i < pairs; ++i, half /= 2)
      lanes[lane].points[i] = steps[2 * i + (lane / half & 1)];
    lanes[lane].points[pairs] = steps[2 * pairs + lane % last];
  }
}

}  // namespace snarl::coseq
