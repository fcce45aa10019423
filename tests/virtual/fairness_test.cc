// Fairness: how often, when, whom; and that what decides does not notice. Chi-square with fixed seeds.
#include "conduct/fairness.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/test_statistics.h"
#include "tests/virtual/mini_programs.h"
#include "virtual/world.h"

namespace snarl {
namespace {

// The next override, wherever it is.
Step next_of(conduct::Fairness& fairness) {
  while (!fairness.is_due(fairness.next())) {
  }
  return fairness.next();
}

snarl::Run fair_run(double chance, uint64_t index) {
  snarl::Run run = virtual_world::virtual_run("pct", 1, 3, index, 3, 100);
  run.settings.fairness = chance;
  return run;
}

// The first step is geometric: step s with chance f (1-f)^s. As a histogram with a last cell for the rest.
TEST(Fairness, TheFirstOverriddenStepIsGeometric) {
  for (double chance : {0.5, 0.1, 0.01}) {
    constexpr uint64_t kRuns = 100'000;
    constexpr size_t kCells = 40;
    std::vector<double> counts(kCells + 1), expected(kCells + 1);
    double left = 1;
    for (size_t s = 0; s < kCells; ++s, left *= 1 - chance) expected[s] = static_cast<double>(kRuns) * chance * left;
    expected[kCells] = static_cast<double>(kRuns) * left;
    for (uint64_t i = 0; i < kRuns; ++i) {
      conduct::Fairness fairness;
      fairness.begin(fair_run(chance, i));
      ++counts[std::min<Step>(next_of(fairness), kCells)];
    }
    double statistic = 0, pooled = 0, pooled_expected = 0;
    int cells = 0;
    for (size_t s = 0; s <= kCells; ++s) {  // cells with few in them are taken together
      pooled += counts[s];
      pooled_expected += expected[s];
      if (pooled_expected < 20 && s < kCells) continue;
      if (pooled_expected < 1) break;
      statistic += (pooled - pooled_expected) * (pooled - pooled_expected) / pooled_expected;
      pooled = pooled_expected = 0;
      ++cells;
    }
    EXPECT_GT(chi_square_tail(statistic, cells - 1), kByLuck) << chance;
  }
}

// Gaps after the first are drawn alike, and rare chances give long ones: the mean is (1-f)/f.
TEST(Fairness, GapsHaveTheRightMean) {
  constexpr double kChance = 1e-5;
  conduct::Fairness fairness;
  fairness.begin(fair_run(kChance, 1));
  ThreadSet others;
  others.add(3);
  constexpr int kGaps = 20'000;
  Step before = 0;
  double sum = 0;
  for (int i = 0; i < kGaps; ++i) {
    const Step next = next_of(fairness);
    sum += static_cast<double>(next - before);
    before = next + 1;
    EXPECT_EQ(fairness.override_at(next, others), 3);
  }
  // The standard error is mean / sqrt(20,000), 0.7 %; 6.2 of them are exceeded by luck with less than 1e-9.
  EXPECT_NEAR(sum * kChance / kGaps, 1, 6.2 * 0.0071);
  EXPECT_EQ(fairness.overrides(), static_cast<uint64_t>(kGaps));
}

TEST(Fairness, TheOthersAreEquallyLikely) {
  conduct::Fairness fairness;
  fairness.begin(fair_run(0.5, 1));
  ThreadSet others;
  for (int t : {2, 5, 70}) others.add(static_cast<ThreadId>(t));
  std::vector<uint64_t> counts(3);
  for (Step s = 0; s < 30'000; ++s) {
    const ThreadId t = fairness.override_at(s, others);
    ++counts[t == 2 ? 0 : t == 5 ? 1 : 2];
  }
  EXPECT_GT(uniform_tail(counts), kByLuck);
  EXPECT_EQ(fairness.override_at(1, {}), kNoThread);
}

TEST(Fairness, NoneMeansNone) {
  for (const MiniProgram& program : wrong_programs()) {
    snarl::Run run = virtual_world::virtual_run("pct", 3, 1, 1, program.n, program.k);
    EXPECT_EQ(virtual_world::run_virtual(program.body, run).overrides, 0u);
    run.settings.fairness = 1;
    EXPECT_GT(virtual_world::run_virtual(program.body, run).overrides, 0u);
  }
}

// Main spins without yielding until the other is done: without fairness a higher main uses up its budget; with it, it
// never does.
TEST(Fairness, AnImpoliteSpinnerEnds) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    const virtual_world::VirtualProgram set = [](virtual_world::World& v) -> virtual_world::Task {
      for (int i = 0; i < 3; ++i) co_await v.event();
      v.value[0] = 1;
    };
    co_await w.create(set);
    while (w.value[0] == 0) co_await w.event();
  };
  constexpr Step kBudget = 100'000;
  uint64_t stuck = 0;
  for (const char* policy : {"pct", "ppct", "preempt-bound", "delay-bound", "none"})
    for (uint64_t i = 0; i < 50; ++i) {
      snarl::Run run = virtual_world::virtual_run(policy, 1, 1, i, 2, 20);
      stuck += virtual_world::run_virtual(program, run, kBudget).steps > kBudget;
      run.settings.fairness = 0.01;
      const auto fair = virtual_world::run_virtual(program, run, kBudget);
      EXPECT_EQ(fair.outcome, OutcomeKind::kOk) << policy;
      EXPECT_LT(fair.steps, kBudget) << policy;
    }
  EXPECT_GT(stuck, 50u);
}

// A run without an override is the same as one without fairness: it has a stream of its own.
TEST(Fairness, DoesNotDisturbThePolicysDraws) {
  uint64_t same = 0;
  for (const MiniProgram& program : wrong_programs())
    for (const char* policy : {"random", "pct", "pos", "preempt-bound"})
      for (uint64_t i = 0; i < 50; ++i) {
        snarl::Run run = virtual_world::virtual_run(policy, 3, 1, i, program.n, program.k);
        const virtual_world::VirtualResult without = virtual_world::run_virtual(program.body, run);
        run.settings.fairness = 0.01;
        const virtual_world::VirtualResult with = virtual_world::run_virtual(program.body, run);
        if (with.overrides != 0) continue;
        ++same;
        ASSERT_EQ(with.hash, without.hash);
      }
  EXPECT_GT(same, 1000u);
}

}  // namespace
}  // namespace snarl
