#include "policy/noise.h"

#include <algorithm>

namespace snarl::policy {

bool Subset::holds(uint64_t group) const {
  const auto at = std::lower_bound(listed_.begin(), listed_.end(), group);
  const bool is_listed = at != listed_.end() && *at == group;
  if (!is_listed) return combine(key_, group) < below_;
  return family_ == nullptr || family_->has(nth_, static_cast<uint64_t>(at - listed_.begin()));
}

bool NoiseMaker::begin(const Run& run, Arena& arena, Plan& plan) {
  constexpr double kNanoseconds = 1e6;  // of a millisecond
  rng_ = Rng(run.key.seed, run.key.index, Stream::kPolicy);
  const Traits needs = traits(run.key.policy);
  Noise* noise = arena.make<Noise>();
  noise->subset = choose(run, arena, rng_);
  noise->strength = bound_of(run.key.policy.values[kStrength]);
  noise->grouped = needs.groups;
  noise->by = needs.group_by;
  noise->make = static_cast<Make>(run.key.policy.values[kMake]);
  noise->nanoseconds = static_cast<uint64_t>(run.key.policy.values[kSleep] * kNanoseconds);
  noise_ = plan.noise = noise;
  if (run.settings.parallel) plan_free(run, plan);
  return run.settings.parallel;
}

ThreadSet NoiseMaker::who_may_follow(const View& view, bool noise) {
  ThreadSet result;
  if (can_stay(view) && !noise) {
    result.add(view.last);
    return result;
  }
  result = view.enabled;
  if (view.last != kNoThread) result.remove(view.last);
  return result.empty() ? view.enabled : result;
}

}  // namespace snarl::policy
