// The subsets that noise makers draw, by chi-square, and the two claims of the paper's model by simulation: each for
// the model that its formula holds for. Fixed seeds; what is right fails by luck with less than 1e-9.
#include "policy/noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "base/test_statistics.h"
#include "policy/catalog.h"
#include "policy/noise_best.h"
#include "policy/noise_random.h"

namespace snarl::policy {
namespace {

constexpr uint64_t kRuns = 100'000;

// A noise maker's run, as far as its subset; the arena's memory holds what the noise refers to.
struct Begun {
  std::unique_ptr<char[]> memory = std::make_unique<char[]>(1 << 14);
  const Noise* noise = nullptr;
};

Run run_of(const char* policy, uint64_t turn, std::span<const uint64_t> groups) {
  Run run;
  run.key.seed = 11;
  run.key.index = run.key.turn = turn;
  run.key.policy.policy = static_cast<uint32_t>(policy_named(policy));
  const PolicyInfo& info = policy_catalog()[run.key.policy.policy];
  for (size_t i = 0; i < info.params.size(); ++i) run.key.policy.values[i] = info.params[i].default_value;
  run.groups = groups;
  run.settings.parallel = true;
  return run;
}

void begin(const Run& run, Begun& begun) {
  Arena arena(begun.memory.get(), 1 << 14);
  Plan plan;
  ASSERT_TRUE(policy_catalog()[run.key.policy.policy].make(arena)->begin(run, arena, plan));
  begun.noise = plan.noise;
}

std::vector<uint64_t> some_groups(size_t count) {
  std::vector<uint64_t> groups;
  for (size_t i = 0; i < count; ++i) groups.push_back(mix64(i + 1));
  std::sort(groups.begin(), groups.end());
  return groups;
}

// Which of four groups are in the subset: 16 patterns, and how often each came.
std::vector<uint64_t> patterns(const Run& of, const std::vector<uint64_t>& groups, uint64_t runs) {
  std::vector<uint64_t> seen(16);
  Begun begun;
  Run run = of;
  for (run.key.turn = run.key.index = 0; run.key.index < runs; run.key.turn = ++run.key.index) {
    begin(run, begun);
    size_t pattern = 0;
    for (size_t i = 0; i < 4; ++i) pattern |= size_t{begun.noise->subset.has(groups[i * groups.size() / 4])} << i;
    ++seen[pattern];
  }
  return seen;
}

// The chance of counts as far from those expected as these.
double tail(const std::vector<uint64_t>& counts, const std::vector<double>& chances) {
  const double total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), uint64_t{0}));
  double statistic = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    const double off = static_cast<double>(counts[i]) - total * chances[i];
    statistic += off * off / (total * chances[i]);
  }
  return chi_square_tail(statistic, static_cast<double>(counts.size() - 1));
}

std::vector<double> independent(double pick) {
  std::vector<double> chances;
  for (int pattern = 0; pattern < 16; ++pattern) {
    double chance = 1;
    for (int i = 0; i < 4; ++i) chance *= (pattern >> i & 1) != 0 ? pick : 1 - pick;
    chances.push_back(chance);
  }
  return chances;
}

TEST(NoiseRandom, WithAFixedPickGroupsAreIndependent) {
  const std::vector<uint64_t> groups = some_groups(8);
  for (double pick : {0.1, 0.5, 0.8}) {
    snarl::Run run = run_of("noise-random", 0, groups);
    run.key.policy.values[NoiseRandom::kPick] = pick;
    EXPECT_GT(tail(patterns(run, groups, kRuns), independent(pick)), kByLuck) << pick;
  }
}

// With pick uniform in (0, 1), a subset of 4 has as many members as any other number, and given their number each set
// is equally likely: i! (4-i)! / 5!.
TEST(NoiseRandom, ThePickIsUniform) {
  const std::vector<uint64_t> groups = some_groups(8);
  const double factorial[] = {1, 1, 2, 6, 24};
  std::vector<double> chances;
  for (unsigned pattern = 0; pattern < 16; ++pattern) {
    const int members = std::popcount(pattern);
    chances.push_back(factorial[members] * factorial[4 - members] / 120);
  }
  EXPECT_GT(tail(patterns(run_of("noise-random", 0, groups), groups, kRuns), chances), kByLuck);
}

TEST(NoiseBest, PicksByTheNumberOfGroups) {
  for (size_t n : {4u, 20u, 60u}) {
    const std::vector<uint64_t> groups = some_groups(n);
    const double pick = 1 / (1 + static_cast<double>(n) / 3);
    EXPECT_DOUBLE_EQ(NoiseBest::pick(1. / 3, n), pick);
    EXPECT_GT(tail(patterns(run_of("noise-best", 0, groups), groups, kRuns), independent(pick)), kByLuck) << n;
  }
}

// Each half is uniform, two halves in a row are complements, and pairs are independent of each other.
TEST(NoiseSeparating, RandomHalvesAndTheirComplements) {
  const std::vector<uint64_t> groups = some_groups(16);
  EXPECT_GT(uniform_tail(patterns(run_of("noise-separating", 0, groups), groups, kRuns)), kByLuck);
  Begun even, odd;
  std::vector<uint64_t> seen(4);
  bool before = false;
  for (uint64_t turn = 0; turn < 20'000; turn += 2) {
    begin(run_of("noise-separating", turn, groups), even);
    begin(run_of("noise-separating", turn + 1, groups), odd);
    for (uint64_t group : groups) ASSERT_NE(even.noise->subset.has(group), odd.noise->subset.has(group));
    const bool now = even.noise->subset.has(groups[3]);
    ++seen[2u * before + now];
    before = now;
  }
  EXPECT_GT(uniform_tail(seen), kByLuck);
}

// The runs walk the family, whatever other policies take their turns between.
TEST(NoiseSeparating, WalksTheExactFamily) {
  const std::vector<uint64_t> groups = some_groups(40);
  const SeparatingFamily family(groups.size(), 2);
  Begun begun;
  for (uint64_t turn = 0; turn < 2 * family.size(); ++turn) {
    snarl::Run run = run_of("noise-separating", turn, groups);
    run.key.index = 3 * turn;
    run.key.policy.values[NoiseMaker::kGroup + 1] = 1;
    begin(run, begun);
    for (size_t i = 0; i < groups.size(); ++i)
      ASSERT_EQ(begun.noise->subset.has(groups[i]), family.has(turn % family.size(), i));
  }
}

TEST(NoiseContention, TakesEachVariableInTurnOrTheNamedOnes) {
  const std::vector<uint64_t> groups = some_groups(5);
  Begun begun;
  for (uint64_t turn = 0; turn < 20; ++turn) {
    snarl::Run run = run_of("noise-contention", turn, groups);
    begin(run, begun);
    EXPECT_EQ(begun.noise->by, GroupBy::kVariable);
    for (size_t i = 0; i < groups.size(); ++i) ASSERT_EQ(begun.noise->subset.has(groups[i]), i == turn % 5);
    run.key.policy.file[0] = 'x';
    begin(run, begun);
    for (uint64_t group : groups) ASSERT_TRUE(begun.noise->subset.has(group));
    ASSERT_FALSE(begun.noise->subset.has(12345));
  }
  begin(run_of("noise-contention", 0, {}), begun);
  EXPECT_FALSE(begun.noise->subset.has(groups[0])) << "nothing is known: no noise";
}

TEST(NoiseWhite, IsMadeAtEveryEventWithTheSameChance) {
  Begun begun;
  for (double strength : {0.0, 0.25, 0.9, 1.0}) {
    snarl::Run run = run_of("noise-white", 0, {});
    run.key.policy.values[NoiseMaker::kStrength] = strength;
    begin(run, begun);
    Rng rng(5);
    uint64_t made = 0;
    for (uint64_t event = 1; event <= kRuns; ++event) made += begun.noise->is_made_at(event, rng);
    if (strength == 0 || strength == 1)
      EXPECT_EQ(made, strength == 0 ? 0 : kRuns);
    else
      EXPECT_TRUE(is_rate_within(made, kRuns, strength, strength)) << made;
  }
}

// The paper's model: a run is successful if its subset holds all good groups and no bad one.
enum class Type { kGood, kBad, kNeutral };

bool is_successful(const Subset& subset, const std::vector<uint64_t>& groups, const std::vector<Type>& types) {
  for (size_t i = 0; i < groups.size(); ++i)
    if (types[i] != Type::kNeutral && subset.has(groups[i]) != (types[i] == Type::kGood)) return false;
  return true;
}

double claim2(double p, int good, int bad) { return std::pow(p, good) * std::pow(1 - p, bad); }

// Claim 2: p^g (1-p)^b, at its best for p = g / (g + b).
TEST(NoiseModel, ClaimTwoBySimulation) {
  const std::vector<uint64_t> groups = some_groups(12);
  for (const auto& [good, bad] : {std::pair(1, 3), std::pair(2, 2), std::pair(1, 0)}) {
    std::vector<Type> types(groups.size(), Type::kNeutral);
    std::fill_n(types.begin(), good, Type::kGood);
    std::fill_n(types.begin() + good, bad, Type::kBad);
    for (double p : {0.1, 0.25, 0.5, 0.75}) {
      uint64_t hits = 0;
      for (uint64_t run = 0; run < kRuns; ++run) hits += is_successful(Subset::drawn(mix64(run), p), groups, types);
      EXPECT_TRUE(is_rate_within(hits, kRuns, claim2(p, good, bad), claim2(p, good, bad))) << good << bad << p;
      const double best = good / static_cast<double>(good + bad);
      EXPECT_LE(claim2(p, good, bad), claim2(best, good, bad));
    }
  }
}

// A type for each group, drawn anew for each run.
std::vector<Type> drawn_types(size_t count, double good, double bad, Rng& rng) {
  std::vector<Type> types;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t draw = rng.next();
    types.push_back(draw < bound_of(good) ? Type::kGood : draw < bound_of(good + bad) ? Type::kBad : Type::kNeutral);
  }
  return types;
}

// Claim 1's formula is that of exactly p n chosen groups, whichever they are.
TEST(NoiseModel, ClaimOneBySimulationOfExactlySoMany) {
  const std::vector<uint64_t> groups = some_groups(10);
  constexpr double kGood = 0.1, kBad = 0.2;
  for (size_t chosen : {0u, 3u, 5u, 10u}) {
    Rng rng(chosen);
    uint64_t hits = 0;
    for (uint64_t run = 0; run < kRuns; ++run) {
      std::vector<uint64_t> listed = groups;
      for (size_t i = 0; i < chosen; ++i) std::swap(listed[i], listed[i + rng.below(listed.size() - i)]);
      listed.resize(chosen);
      std::sort(listed.begin(), listed.end());
      hits += is_successful(Subset::only(listed), groups, drawn_types(groups.size(), kGood, kBad, rng));
    }
    const double rate = std::pow(1 - kBad, static_cast<double>(chosen)) *
                        std::pow(1 - kGood, static_cast<double>(groups.size() - chosen));
    EXPECT_TRUE(is_rate_within(hits, kRuns, rate, rate)) << chosen << ": " << hits;
  }
}

// For an independent choice it is (p (1-PB) + (1-p) (1-PG))^n, and the two differ unless PG = PB.
TEST(NoiseModel, ClaimOneBySimulationOfAnIndependentChoice) {
  const std::vector<uint64_t> groups = some_groups(10);
  constexpr double kGood = 0.05, kBad = 0.4, kPick = 0.5;
  Rng rng(3);
  uint64_t hits = 0;
  for (uint64_t run = 0; run < kRuns; ++run)
    hits += is_successful(Subset::drawn(mix64(run), kPick), groups, drawn_types(groups.size(), kGood, kBad, rng));
  const double rate = std::pow(kPick * (1 - kBad) + (1 - kPick) * (1 - kGood), 10);
  const double exactly = std::pow(1 - kBad, 5) * std::pow(1 - kGood, 5);
  EXPECT_TRUE(is_rate_within(hits, kRuns, rate, rate)) << hits;
  EXPECT_FALSE(is_rate_within(hits, kRuns, exactly, exactly)) << "the test would not see the difference";
}

// PG = PB = x / n: the chance goes to e^-x, for any pick.
TEST(NoiseModel, ClaimOneInTheLimit) {
  constexpr size_t kGroups = 400;
  const std::vector<uint64_t> groups = some_groups(kGroups);
  for (double x : {1.0, 2.0})
    for (double pick : {0.2, 0.7}) {
      Rng rng(9);
      constexpr uint64_t kFew = 20'000;
      uint64_t hits = 0;
      for (uint64_t run = 0; run < kFew; ++run)
        hits +=
            is_successful(Subset::drawn(mix64(run), pick), groups, drawn_types(kGroups, x / kGroups, x / kGroups, rng));
      const double rate = std::pow(1 - x / kGroups, kGroups);
      EXPECT_NEAR(rate, std::exp(-x), x * x / kGroups);
      EXPECT_TRUE(is_rate_within(hits, kFew, rate, rate)) << x << " " << pick << ": " << hits;
    }
}

}  // namespace
}  // namespace snarl::policy
