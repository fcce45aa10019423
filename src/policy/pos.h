// Partial order sampling: random priorities of events, drawn again where order matters.
#pragma once

#include "policy/policy.h"

namespace snarl::policy {

// Every pending event has a random priority, drawn when its thread arrives there; the highest
// enabled one is next. When an event was taken, the pending ones that conflict with it (same
// object, at least one write; taking a lock is a write to it) are drawn anew. So an order of
// conflicting events is not more likely the later the others are (Yuan, Yang, Gu, CAV'18).
class Pos final : public Policy {
 public:
  Traits traits(const PolicySpec&) const override { return {.watches = true}; }
  bool begin(const Run& run, Arena& arena, Plan&) override;
  void spawned(const View&, ThreadId child) override { pending_[child] = {rng_.next()}; }
  void arrived(const Arrival& arrival) override;
  void decide(const View& view, Verdict& verdict) override;

 private:
  struct Pending {
    uint64_t priority = 0;
    uint64_t object = 0, second = 0;  // of its operation, together with the priority: one look per thread
  };

  void draw_conflicting_anew(const View& view);

  Rng rng_;
  std::span<Pending> pending_;  // by slot, of threads that have been spawned or have arrived, and their timers
};

}  // namespace snarl::policy
