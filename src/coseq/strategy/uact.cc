#include "coseq/strategy/uact.h"

#include <array>
#include <vector>

#include "coseq/strategy/draw.h"

namespace snarl::coseq {
namespace {

// The least of a uniform set of `count` steps in after + 1 .. steps. At least `count` steps are left.
uint64_t least_of_set(Rng& rng, uint64_t after, uint64_t steps, uint32_t count) {
  std::array<uint64_t, kPlanChanges> chosen;  // R. W. Floyd's sample without replacement
  uint64_t least = steps;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t last = steps - count + i + 1;
    uint64_t one = after + 1 + rng.below(last - after);
    if (std::find(chosen.begin(), chosen.begin() + i, one) != chosen.begin() + i) one = last;
    chosen[i] = one;
    least = std::min(least, one);
  }
  return least;
}

// The last point of each lane: all different as long as there are steps for it, then every step once more.
void draw_last(Rng& rng, uint64_t after, uint64_t steps, uint32_t at, std::span<LanePlan> lanes) {
  std::vector<uint64_t> used;
  for (size_t i = 0; i < lanes.size(); ++i) {
    const uint64_t left = steps - after;
    if (used.size() == left) used.clear();
    // The number of an unused step, then the step itself: `used` is sorted.
    uint64_t one = after + 1 + rng.below(left - used.size());
    auto place = used.begin();
    for (; place != used.end() && *place <= one; ++place) ++one;
    used.insert(place, one);
    lanes[i].points[at] = static_cast<unsigned>(one);
  }
  // Which lane has which is random already: each draws uniformly among what the others left.
}

void draw_points(Rng& rng, uint64_t after, uint64_t steps, uint32_t at, std::span<LanePlan> lanes) {
  const uint32_t changes = lanes[0].changes;
  if (at == changes) return;
  if (at + 1 == changes) return draw_last(rng, after, steps, at, lanes);
  const size_t half = (lanes.size() + 1) / 2;
  for (const std::span<LanePlan> part : {lanes.subspan(0, half), lanes.subspan(half)}) {
    if (part.empty()) continue;
    const uint64_t point = least_of_set(rng, after, steps, changes - at);
    for (LanePlan& lane : part) lane.points[at] = static_cast<unsigned>(point);
    draw_points(rng, point, steps, at + 1, part);
  }
}

}  // namespace

void Uact::fill(uint64_t seed, uint64_t group, const Shape& shape, std::span<LanePlan> lanes) const {
  Rng rng(seed, group, Stream::kPolicy);
  LanePlan& first = lanes[0];
  draw_priorities(rng, shape, first);
  for (uint32_t i = 0; i < first.changes; ++i) first.targets[i] = static_cast<unsigned short>(i + 1);
  for (size_t i = first.changes; i > 1; --i) std::swap(first.targets[i - 1], first.targets[rng.below(i)]);
  draw_seeds(rng, first);
  std::fill(lanes.begin() + 1, lanes.end(), first);
  if (first.changes == 0) {  // nothing to part at: each lane has its own priorities
    for (LanePlan& lane : lanes.subspan(1)) {
      draw_priorities(rng, shape, lane);
      draw_seeds(rng, lane);
    }
    return;
  }
  // A program shorter than its changes: those beyond its end never come.
  draw_points(rng, 0, std::max<uint64_t>(shape.steps, first.changes), 0, lanes);
}

}  // namespace snarl::coseq
