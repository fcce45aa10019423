// Probabilistic concurrency testing: a plan of random priorities.
#pragma once

#include "policy/policy.h"

namespace snarl {

// n threads get distinct random priorities d..d+n-1 and the highest enabled one always
// runs; d-1 change points (k_i, d-i), each k_i uniform in 1..k, lower the thread that
// took step k_i. Depth-d bugs are hit with probability >= 1/(n k^(d-1)) per run
// (parallel PCT, theorem 9). The pairs are NOT sorted: which low priority comes first
// in time is part of the draw.
class Pct final : public Policy {
 public:
  bool begin(const Run& run, Arena& arena, Plan& plan) override;
  void decide(const View&, Verdict&) override {}
};

// The plan: ranks, change points, and which threads a parallel run takes as high.
void plan_pct(const Run& run, Arena& arena, Plan& plan);

}  // namespace snarl
