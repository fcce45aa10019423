// Probabilistic concurrency testing: a plan of random priorities.
#pragma once

#include "policy/policy.h"

namespace snarl::policy {

// Of so many runs one lets deadlines come before everybody else has gone as far as possible: bugs that need that are
// found by it. All others are left to the rest, so a bound for bugs without a time-out has to take only one part off.
constexpr uint32_t kEarlyTimers = 4;

// What a run of the policy (pct or ppct) is planned with: n and k as they are given by its parameters, or as they were
// seen.
Profile planned_profile(const PolicySpec& policy, Profile seen);

// Ranks, changes and generators for the depth that is the policy's first parameter.
void draw_pct_plan(const Run& run, Arena& arena, Plan& plan);

// The paper's priority 1, 2, ... as a rank.
Rank pct_rank(uint64_t priority);

// n threads get distinct random priorities d..d+n-1 and the highest enabled one always
// runs; d-1 change points (k_i, d-i), each k_i uniform in 1..k, lower the thread that
// took step k_i. Depth-d bugs are hit with probability >= 1/(n k^(d-1)) per run
// (parallel PCT, theorem 9). The pairs are NOT sorted: which low priority comes first
// in time is part of the draw.
class Pct final : public Policy {
 public:
  bool begin(const Run& run, Arena& arena, Plan& plan) override {
    draw_pct_plan(run, arena, plan);
    return true;
  }
  void decide(const View&, Verdict&) override {}
};

}  // namespace snarl::policy
