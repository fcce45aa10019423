// Random sleeps: all threads run free; at every point, with a small chance, the thread sleeps.
#pragma once

#include "base/storage.h"
#include "policy/pick.h"
#include "policy/policy.h"

namespace snarl::policy {

// Made for the parallel layer, where the sleep is the operating system's (PLDI'12, section 3.2).
// Serially, any enabled thread that is awake is equally likely at every point, and a
// sleep is kStepsPerMillisecond steps long. When all sleep, one of them is woken.
class RandomSleep final : public Policy {
 public:
  enum Parameter { kChance, kMilliseconds };
  static constexpr double kStepsPerMillisecond = 100;  // about what two threads do in that time at 10 us a switch

  Traits traits(const PolicySpec&) const override { return {.parallel = true}; }
  bool begin(const Run& run, Arena& arena, Plan& plan) override {
    rng_ = Rng(run.key.seed, run.key.index, Stream::kPolicy);
    one_in_ = run.key.policy.values[kChance];
    if (run.settings.parallel) return plan_pauses(run, plan);
    length_ = static_cast<Step>(run.key.policy.values[kMilliseconds] * kStepsPerMillisecond);
    awake_at_ = arena.array<Step>(kMaxSlots);
    return false;
  }
  void spawned(const View&, ThreadId child) override { awake_at_[child] = 0; }
  void decide(const View& view, Verdict& verdict) override {
    if (view.last != kNoThread && falls_asleep()) awake_at_[view.last] = view.step + length_;
    ThreadSet awake;
    view.enabled.for_each([&](ThreadId t) {
      if (awake_at_[t] <= view.step) awake.add(t);
    });
    verdict.first = any_of(awake.empty() ? view.enabled : awake, rng_);
    awake_at_[verdict.first] = 0;
  }

 private:
  bool plan_pauses(const Run& run, Plan& plan) {
    constexpr double kNanoseconds = 1e6;  // of a millisecond
    plan_free(run, plan);
    plan.pause_chance = 1 / one_in_;
    plan.pause_nanoseconds = static_cast<uint64_t>(run.key.policy.values[kMilliseconds] * kNanoseconds);
    return true;
  }
  bool falls_asleep() { return static_cast<double>(rng_.below(1 << 30)) * one_in_ < (1 << 30); }

  Rng rng_;
  double one_in_ = 30;
  Step length_ = 0;
  std::span<Step> awake_at_;  // by slot
};

}  // namespace snarl::policy
