// Uniform random walk over interleavings: the thread that has more left to do is likelier to go on.
#pragma once

#include "policy/policy.h"
#include "policy/shares.h"

namespace snarl::policy {

// An enabled thread is chosen with a probability proportional to its remaining events (profiled minus
// taken, at least 1) and those of its descendants that are not spawned yet. In a program without
// blocking whose counts are exact, every interleaving is equally likely (ASPLOS'25).
class Urw final : public Policy {
 public:
  Traits traits(const PolicySpec&) const override { return {.counts = true, .watches = true}; }
  bool begin(const Run& run, Arena& arena, Plan&) override {
    rng_ = Rng(run.key.seed, run.key.index, Stream::kPolicy);
    left_.begin(run.counts, 0, arena);
    return false;
  }
  void spawned(const View& view, ThreadId child) override { left_.spawned(view.last, child, view.name(child)); }
  void stepped(const Arrival& step, bool event) override {
    if (event) left_.take(step.thread);
  }
  void decide(const View& view, Verdict& verdict) override {
    uint64_t total = 0;
    view.enabled.for_each([&](ThreadId t) { total += weight(t); });
    uint64_t draw = rng_.below(total);
    view.enabled.for_each([&](ThreadId t) {
      if (verdict.first == kNoThread && draw < weight(t)) verdict.first = t;
      draw -= weight(t);  // may wrap once the thread is found, and then is not looked at
    });
  }

 private:
  uint64_t weight(ThreadId t) const {
    const uint64_t own = left_.own(t);
    return (own == 0 ? 1 : own) + left_.unspawned(t);
  }

  Rng rng_;
  Shares left_;
};

}  // namespace snarl::policy
