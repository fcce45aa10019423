#include "policy/pct.h"

#include <utility>

namespace snarl::policy {
namespace {

// Room between two ranks, for threads that nobody expected (conduct/plan_runner.h).
constexpr Rank kGap = Rank{1} << 40;

void shuffle(std::span<Rank> ranks, Rng& rng) {
  for (size_t i = ranks.size(); i > 1; --i) std::swap(ranks[i - 1], ranks[rng.below(i)]);
}

}  // namespace

Rank pct_rank(uint64_t priority) { return priority * kGap; }

Profile planned_profile(const PolicySpec& policy, Profile seen) {
  if (policy.values[1] != 0) seen.threads = static_cast<uint32_t>(policy.values[1]);
  if (policy.values[2] != 0) seen.steps = static_cast<Step>(policy.values[2]);
  return seen;
}

void draw_pct_plan(const Run& run, Arena& arena, Plan& plan) {
  Rng rng(run.key.seed, run.key.index, Stream::kPolicy);
  const uint64_t depth = static_cast<uint64_t>(run.key.policy.values[0]);
  const Profile profile = planned_profile(run.key.policy, run.key.profile);
  plan.ranks = arena.room<Rank>(profile.threads);
  for (size_t i = 0; i < plan.ranks.size(); ++i) plan.ranks[i] = pct_rank(depth + i);
  shuffle(plan.ranks, rng);
  plan.changes = arena.room<Change>(depth - 1);
  for (uint64_t i = 1; i < depth; ++i)
    plan.changes[i - 1] = {.step = 1 + rng.below(profile.steps), .rank = pct_rank(depth - i)};
  plan.insert = LateRng(rng.next());
  plan.adversary = LateRng(rng.next());
  plan.early_timers = kEarlyTimers;
}

}  // namespace snarl::policy
