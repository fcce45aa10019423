// The noise makers on virtual programs: the examples of their paper, exactly, and what they choose as distributions
// (chi-square with fixed seeds; a right policy fails by luck with less than 1e-9).
#include "policy/noise.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "base/test_statistics.h"
#include "policy/catalog.h"
#include "policy/noise_random.h"
#include "virtual/world.h"

namespace snarl {
namespace {

using Events = std::set<int>;  // World::event ids at which noise is made

// Figure 1: three threads of three locations. Ti.j is event 10 i + j, the point after that location; main is T1.
virtual_world::VirtualProgram figure1() {
  return [](virtual_world::World& w) -> virtual_world::Task {
    int& x = w.value[0];
    x = 1;
    const virtual_world::VirtualProgram t2 = [](virtual_world::World& v) -> virtual_world::Task {
      co_await v.event(21);
      v.value[0] = 0;
      v.note(22);
      co_await v.event(22);
      v.note(23);
    };
    const virtual_world::VirtualProgram t3 = [](virtual_world::World& v) -> virtual_world::Task {
      v.value[0] = 1;
      co_await v.event(31);
      co_await v.event(32);
      v.note(33);
    };
    co_await w.create(t2);
    co_await w.create(t3);
    co_await w.event(11);
    const bool divides = x != 0;
    co_await w.event(12);
    w.note(13);
    if (divides && x == 0) w.note(100);  // the bug: y = 1 / x
  };
}

bool has_bug(const std::vector<int>& trace) { return std::find(trace.begin(), trace.end(), 100) != trace.end(); }

// Walks the tree of all choices that the noise makers' rule leaves, with the chance of each leaf.
class EveryChoice final : public policy::Policy {
 public:
  explicit EveryChoice(Events noisy) : noisy_(std::move(noisy)) {}

  policy::Traits traits(const PolicySpec&) const override { return {.watches = true}; }
  bool begin(const Run&, Arena&, policy::Plan&) override {
    at_ = 0;
    chance_ = 1;
    return false;
  }
  void arrived(const policy::Arrival& arrival) override {
    const bool is_event = arrival.op.kind == OpKind::kAfter && arrival.op.after == OpKind::kNone;
    noise_at_.put(arrival.thread, is_event && noisy_.contains(static_cast<int>(arrival.op.pc) - 1));
  }
  void decide(const policy::View& view, policy::Verdict& verdict) override {
    const bool noise = view.last != kNoThread && noise_at_.has(view.last);
    if (noise) noise_at_.remove(view.last);
    const ThreadSet among = policy::NoiseMaker::who_may_follow(view, noise);
    if (at_ == path_.size()) path_.push_back({0, among.size()});
    chance_ /= among.size();
    verdict.first = among.nth(path_[at_++].chosen);
  }
  bool next() {
    while (!path_.empty() && path_.back().chosen + 1 == path_.back().count) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().chosen;
    return true;
  }
  double chance() const { return chance_; }

 private:
  struct Fork {
    int chosen;
    int count;
  };
  Events noisy_;
  ThreadSet noise_at_;
  std::vector<Fork> path_;
  size_t at_ = 0;
  double chance_ = 1;  // a power of 1/2 or of 1/6: exact enough to compare
};

struct Tree {
  int interleavings = 0;
  int buggy = 0;
  double chance = 0;                          // of a buggy one
  std::map<std::vector<int>, double> leaves;  // by what they note
};

Tree tree_of(const virtual_world::VirtualProgram& program, const Events& noisy) {
  EveryChoice policy(noisy);
  Tree tree;
  do {
    const virtual_world::VirtualResult r = virtual_world::run_virtual(program, policy);
    ++tree.interleavings;
    tree.leaves[r.trace] += policy.chance();
    if (!has_bug(r.trace)) continue;
    ++tree.buggy;
    tree.chance += policy.chance();
  } while (policy.next());
  return tree;
}

TEST(NoiseFigure1, AHasFourInterleavingsOfWhichTwoAreBuggy) {
  const Tree tree = tree_of(figure1(), {12});
  EXPECT_EQ(tree.interleavings, 4);
  EXPECT_EQ(tree.buggy, 2);
  EXPECT_EQ(tree.chance, 1. / 2);
}

TEST(NoiseFigure1, BHasSixInterleavingsOfWhichOneIsBuggy) {
  const Tree tree = tree_of(figure1(), {12, 21});
  EXPECT_EQ(tree.interleavings, 6);
  EXPECT_EQ(tree.buggy, 1);
  EXPECT_EQ(tree.chance, 1. / 8);
}

// A run with noise at exactly these events: the variables that the user names.
snarl::Run run_at(const std::vector<uint64_t>& groups, double strength, uint64_t index) {
  snarl::Run run = virtual_world::virtual_run("noise-contention", strength, 21, index, 3, 40);
  run.key.policy.values[policy::NoiseMaker::kMake] = static_cast<double>(policy::Make::kSwitch);
  run.key.policy.file[0] = 'x';
  run.groups = groups;
  return run;
}

constexpr uint64_t variable(int event) { return static_cast<uint64_t>(event) + 1000; }  // as the world names it

// The policy itself takes every interleaving of the tree as often as it says.
TEST(NoiseFigure1, ThePolicyWalksThatTree) {
  for (const Events& noisy : {Events{12}, Events{12, 21}, Events{11, 22, 31}}) {
    const Tree tree = tree_of(figure1(), noisy);
    std::vector<uint64_t> groups;
    for (int event : noisy) groups.push_back(variable(event));
    constexpr uint64_t kRuns = 20'000;
    std::map<std::vector<int>, uint64_t> seen;
    for (uint64_t i = 0; i < kRuns; ++i) ++seen[virtual_world::run_virtual(figure1(), run_at(groups, 1, i)).trace];
    EXPECT_EQ(seen.size(), tree.leaves.size());
    double statistic = 0;
    for (const auto& [trace, chance] : tree.leaves) {
      const double off = static_cast<double>(seen[trace]) - kRuns * chance;
      statistic += off * off / (kRuns * chance);
    }
    EXPECT_GT(chi_square_tail(statistic, static_cast<double>(tree.leaves.size() - 1)), kByLuck);
  }
}

// Figure 3: for each location, the chance of the bug with a switch there and one more, over the five other locations.
// The paper prints 2, 12, 0, 5, 3, 3 fortieths. They can't all be right under its scheduler: each pair of locations
// counts for both, so their sum must be even, and T2.1 = 0 contradicts the 1/8 of its own figure 1b (1/8 of a fifth is
// 1/40).
TEST(NoiseFigure3, TheHighestIsT12AndTheLowestT21) {
  constexpr std::array<int, 6> kLocations = {11, 12, 21, 22, 31, 32};
  std::vector<double> fortieths;
  for (int location : kLocations) {
    double sum = 0;
    for (int other : kLocations)
      if (other != location) sum += tree_of(figure1(), {location, other}).chance;
    fortieths.push_back(sum / 5 * 40);
  }
  EXPECT_EQ(fortieths, (std::vector<double>{2, 15, 1, 4, 4, 4}));
}

double rate_of(const virtual_world::VirtualProgram& program, snarl::Run run, uint64_t runs) {
  uint64_t hits = 0;
  for (run.key.index = 0; run.key.index < runs; ++run.key.index)
    hits += has_bug(virtual_world::run_virtual(program, run).trace);
  return static_cast<double>(hits) / static_cast<double>(runs);
}

// Figure 2a: T1 must give way between test and division, T2 at none of N locations before it makes x zero.
virtual_world::VirtualProgram figure2a(int n) {
  return [n](virtual_world::World& w) -> virtual_world::Task {
    w.value[0] = 1;
    const virtual_world::VirtualProgram t2 = [n](virtual_world::World& v) -> virtual_world::Task {
      for (int i = 1; i <= n; ++i) co_await v.event(20 + i);
      v.value[0] = 0;
    };
    co_await w.create(t2);
    const bool divides = w.value[0] != 0;
    co_await w.event(12);
    if (divides && w.value[0] == 0) w.note(100);
  };
}

TEST(NoiseFigure2, AFallsWithTheNumberOfBadPlaces) {
  constexpr uint64_t kRuns = 10'000;
  for (double p : {0.2, 0.5})
    for (int n : {1, 2, 5, 10}) {
      snarl::Run run = virtual_world::virtual_run("noise-random", 1, 31, 0, 2, 40);
      run.key.policy.values[policy::NoiseMaker::kMake] = static_cast<double>(policy::Make::kSwitch);
      run.key.policy.values[policy::NoiseMaker::kGroup] = static_cast<double>(GroupBy::kVariable);
      run.key.policy.values[policy::NoiseRandom::kPick] = p;
      const double rate = p * std::pow(1 - p, n);
      const auto hits = static_cast<uint64_t>(std::lround(rate_of(figure2a(n), run, kRuns) * kRuns));
      EXPECT_TRUE(is_rate_within(hits, kRuns, rate, rate)) << p << " " << n << ": " << hits;
    }
}

// The same with white noise; the best uniform chance hits less and less.
TEST(NoiseFigure2, AIsHardForWhiteNoise) {
  std::vector<double> best;
  for (int n : {1, 4, 16}) {
    best.push_back(0);
    for (double p : {0.05, 0.1, 0.2, 0.4, 0.6, 0.8}) {
      snarl::Run run = virtual_world::virtual_run("noise-white", p, 33, 0, 2, 40);
      run.key.policy.values[policy::NoiseMaker::kMake] = static_cast<double>(policy::Make::kSwitch);
      best.back() = std::max(best.back(), rate_of(figure2a(n), run, 4'000));
    }
  }
  EXPECT_GT(best[0], 1.5 * best[1]);
  EXPECT_GT(best[1], 1.5 * best[2]);
}

// Figure 2b: exactly one switch at T1.1 or T1.2 lets T2 test x before T1 makes it zero; a second lets it divide too.
virtual_world::VirtualProgram figure2b() {
  return [](virtual_world::World& w) -> virtual_world::Task {
    w.value[0] = 1;
    const virtual_world::VirtualProgram t2 = [](virtual_world::World& v) -> virtual_world::Task {
      const bool divides = v.value[0] != 0;
      co_await v.event(22);
      if (divides && v.value[0] == 0) v.note(100);
    };
    co_await w.create(t2);
    co_await w.event(11);
    co_await w.event(12);
    w.value[0] = 0;
  };
}

TEST(NoiseFigure2, BIsGoodOrBadByContext) {
  EXPECT_EQ(tree_of(figure2b(), {22}).chance, 0);
  EXPECT_EQ(tree_of(figure2b(), {22, 11}).chance, 1);
  EXPECT_EQ(tree_of(figure2b(), {22, 12}).chance, 1);
  EXPECT_EQ(tree_of(figure2b(), {22, 11, 12}).chance, 0);
  const double chance = rate_of(figure2b(), run_at({variable(11), variable(12), variable(22)}, 0.5, 0), 10'000);
  EXPECT_NEAR(chance, 0.25, 0.02) << "T2.2 and one of the two, each with 1/2";
}

// Figure 2c: only a switch in iteration 5 makes the divisor zero, and T2 looks but once.
virtual_world::VirtualProgram figure2c() {
  return [](virtual_world::World& w) -> virtual_world::Task {
    const virtual_world::VirtualProgram t2 = [](virtual_world::World& v) -> virtual_world::Task {
      if (v.value[0] == 5) v.value[0] = 0;
      co_return;
    };
    co_await w.create(t2);
    int& i = w.value[0];
    for (i = 1; i <= 10; ++i) {
      co_await w.event(13);  // after: if (i != 0)
      if (i == 0) {
        w.note(100);
        break;
      }
    }
  };
}

TEST(NoiseFigure2, CIsMissedByAlwaysAndByNever) {
  constexpr uint64_t kRuns = 10'000;
  EXPECT_EQ(rate_of(figure2c(), run_at({variable(13)}, 1, 0), 2000), 0);
  EXPECT_EQ(rate_of(figure2c(), run_at({variable(13)}, 0, 0), 2000), 0);
  for (double strength : {0.2, 0.5}) {
    const double rate = std::pow(1 - strength, 4) * strength;
    const auto hits =
        static_cast<uint64_t>(std::lround(rate_of(figure2c(), run_at({variable(13)}, strength, 0), kRuns) * kRuns));
    EXPECT_TRUE(is_rate_within(hits, kRuns, rate, rate)) << strength << ": " << hits;
  }
}

}  // namespace
}  // namespace snarl
