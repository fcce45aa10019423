// What the noise makers share: which groups of events a run makes noise in, how, and the serial choice.
//
// A noise maker lets the program run and forces switches at chosen events: first a subset of the groups is chosen for
// the run, then noise is made only there, with a high probability (Ben-Asher, Eytani, Farchi, Ur, PADTAD'06).
#pragma once

#include <span>

#include "policy/pick.h"
#include "policy/policy.h"
#include "policy/separating_family.h"

namespace snarl::policy {

// A chance as the bound of a 64-bit draw.
constexpr uint64_t bound_of(double chance) {
  if (chance >= 1) return ~uint64_t{0};
  return chance <= 0 ? 0 : static_cast<uint64_t>(chance * 18446744073709551616.0);
}

// Of groups, by name. A drawn one needs no list: a group that nobody has met before is in it like any other.
class Subset {
 public:
  static Subset all() { return Subset(); }
  // Each group with probability `pick`, independently; the same for the same key.
  static Subset drawn(uint64_t key, double pick) {
    Subset subset;
    subset.key_ = key;
    subset.below_ = bound_of(pick);
    return subset;
  }
  // Those listed, in order.
  static Subset only(std::span<const uint64_t> listed) {
    Subset subset = drawn(0, 0);
    subset.listed_ = listed;
    return subset;
  }
  // The nth subset of a family over those listed; groups that are not listed are in it with 1/2.
  static Subset of_family(std::span<const uint64_t> listed, const SeparatingFamily& family, uint64_t nth,
                          uint64_t key) {
    Subset subset = drawn(key, 0.5);
    subset.listed_ = listed;
    subset.family_ = &family;
    subset.nth_ = nth;
    return subset;
  }

  Subset complement() const {
    Subset subset = *this;
    subset.inverted_ = !inverted_;
    return subset;
  }

  bool has(uint64_t group) const { return holds(group) != inverted_; }

 private:
  bool holds(uint64_t group) const;

  uint64_t key_ = 0;
  uint64_t below_ = ~uint64_t{0};
  std::span<const uint64_t> listed_;
  const SeparatingFamily* family_ = nullptr;  // null: all that are listed
  uint64_t nth_ = 0;
  bool inverted_ = false;
};

enum class Make : uint8_t { kYield = 0, kSleep, kSwitch };

// The noise of one run. Also what the parallel layer is handed (Plan::noise).
class Noise {
 public:
  Subset subset;
  uint64_t strength = 0;  // of a draw in the subset, below this makes noise
  bool grouped = true;    // false: every event counts, whatever group it is in
  GroupBy by = GroupBy::kPlace;
  Make make = Make::kYield;
  uint64_t nanoseconds = 0;  // kSleep

  bool is_made_at(uint64_t group, Rng& rng) const { return group != 0 && subset.has(group) && rng.next() < strength; }
};

// Serially, a thread runs until it blocks, ends or makes noise; then any other that can is equally likely to go on
// (the scheduler of the paper's figure 1). With make=yield or sleep the threads run at the same time, and the noise is
// the operating system's.
class NoiseMaker : public Policy {
 public:
  enum Parameter { kStrength, kMake, kSleep, kGroup };  // those that all have come first

  Traits traits(const PolicySpec& spec) const override {
    return {.parallel = spec.values[kMake] != static_cast<double>(Make::kSwitch),
            .watches = true,
            .groups = true,
            .group_by = static_cast<GroupBy>(spec.values[kGroup])};
  }
  bool begin(const Run& run, Arena& arena, Plan& plan) final;
  void spawned(const View&, ThreadId child) final { noise_at_.remove(child); }
  void arrived(const Arrival& arrival) final {
    const uint64_t group = noise_->grouped ? arrival.group : arrival.op.pc;
    noise_at_.put(arrival.thread, noise_->is_made_at(group, rng_));
  }
  void decide(const View& view, Verdict& verdict) final {
    const bool noise = view.last != kNoThread && noise_at_.has(view.last);
    if (noise) noise_at_.remove(view.last);  // it is made once, not again when the thread comes back
    verdict.first = any_of(who_may_follow(view, noise), rng_);
  }

  // Of whom each is equally likely to take the next step.
  static ThreadSet who_may_follow(const View& view, bool noise);

 protected:
  // The groups of this run. What it refers to comes from the arena.
  virtual Subset choose(const Run& run, Arena& arena, Rng& rng) = 0;
  ~NoiseMaker() = default;

  // What a run's random subsets are drawn by.
  static uint64_t key_of(const Run& run, uint64_t nth) { return combine(combine(run.key.seed, nth), kKeySalt); }

 private:
  static constexpr uint64_t kKeySalt = 0x67726f757073;  // "groups": no other draw of the run has it

  Rng rng_;
  const Noise* noise_ = nullptr;
  ThreadSet noise_at_;  // who has arrived at an event where noise is made, and has not made it yet
};

}  // namespace snarl::policy
