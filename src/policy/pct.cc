#include "policy/pct.h"

#include <utility>

namespace snarl {
namespace {

// Room between two ranks, for threads that nobody expected (conduct/plan_runner.h).
constexpr Rank kGap = Rank{1} << 40;

void shuffle(std::span<Rank> ranks, Rng& rng) {
  for (size_t i = ranks.size(); i > 1; --i) std::swap(ranks[i - 1], ranks[rng.below(i)]);
}

}  // namespace

Rank pct_rank(uint64_t priority) { return priority * kGap; }

void draw_pct_plan(const Run& run, Arena& arena, Plan& plan) {
  Rng rng(run.seed, run.index, Stream::kPolicy);
  const uint64_t depth = static_cast<uint64_t>(run.policy.values[0]);
  plan.ranks = arena.room<Rank>(run.profile.threads);
  for (size_t i = 0; i < plan.ranks.size(); ++i) plan.ranks[i] = pct_rank(depth + i);
  shuffle(plan.ranks, rng);
  plan.changes = arena.room<Change>(depth - 1);
  for (uint64_t i = 1; i < depth; ++i)
    plan.changes[i - 1] = {.step = 1 + rng.below(run.profile.steps), .rank = pct_rank(depth - i)};
  plan.insert = LateRng(rng.next());
  plan.adversary = LateRng(rng.next());
}

}  // namespace snarl
