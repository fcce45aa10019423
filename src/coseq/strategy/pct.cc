#include "coseq/strategy/pct.h"

#include "coseq/strategy/draw.h"

namespace snarl::coseq {

// The draws of policy::draw_pct_plan, in its order: the same seed and index mean the same plan natively.
void PctStrategy::fill(uint64_t seed, uint64_t group, const Shape& shape, std::span<LanePlan> lanes) const {
  Rng rng(seed, group, Stream::kPolicy);
  LanePlan& plan = lanes[0];
  draw_priorities(rng, shape, plan);
  for (uint32_t i = 0; i < plan.changes; ++i) {
    plan.points[i] = static_cast<unsigned>(1 + rng.below(shape.steps));
    plan.targets[i] = static_cast<unsigned short>(plan.changes - i);
  }
  draw_seeds(rng, plan);
}

void PpctStrategy::fill(uint64_t seed, uint64_t group, const Shape& shape, std::span<LanePlan> lanes) const {
  PctStrategy::fill(seed, group, shape, lanes);
  lanes[0].adversary_above = lanes[0].changes + 1;
}

void RandomStrategy::fill(uint64_t seed, uint64_t group, const Shape&, std::span<LanePlan> lanes) const {
  Rng rng(seed, group, Stream::kPolicy);
  LanePlan& plan = lanes[0];
  plan.threads = plan.changes = plan.adversary_above = 0;
  draw_seeds(rng, plan);
}

}  // namespace snarl::coseq
