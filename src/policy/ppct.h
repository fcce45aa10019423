#pragma once
#include "policy/pct.h"
namespace snarl {
class Ppct final : public Policy {
 public:
  bool begin(const Run& run, Arena& arena, Plan& plan) override { plan_pct(run, arena, plan); return true; }
  void decide(const View&, Verdict&) override {}
};
class Free final : public Policy {
 public:
  bool begin(const Run& run, Arena&, Plan& plan) override { plan.insert = Rng(run.seed, run.index, Stream::kPolicy); return true; }
  void decide(const View&, Verdict&) override {}
};
class RandomSleep final : public Policy {
 public:
  bool begin(const Run& run, Arena&, Plan& plan) override {
    plan.insert = Rng(run.seed, run.index, Stream::kPolicy);
    plan.pause_chance = run.policy.values[0];
    plan.pause_nanoseconds = static_cast<uint64_t>(run.policy.values[1] * 1e6);
    return true;
  }
  void decide(const View&, Verdict&) override {}
};
}
