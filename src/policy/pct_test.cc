// What pct draws, as distributions (chi-square; a right pct fails by luck with less than 1e-9).
#include "policy/pct.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/test_statistics.h"
#include "policy/catalog.h"

namespace snarl::policy {
namespace {

struct Drawn {
  std::vector<size_t> order;   // by ordinal: how many planned threads are below it
  std::vector<Step> steps;     // k_1, k_2, ... in the order of the pairs
  std::vector<size_t> levels;  // by pair: how many of the pairs are below it
};

Drawn draw(uint64_t seed, uint64_t index, uint32_t n, Step k, int depth) {
  std::vector<char> memory(1 << 14);
  Arena arena(memory.data(), memory.size());
  Run run;
  run.key.seed = seed;
  run.key.index = index;
  run.key.policy.values[0] = depth;
  run.key.profile = {.threads = n, .epoch = 0, .steps = k};
  Plan plan;
  Pct pct;
  EXPECT_TRUE(pct.begin(run, arena, plan));
  EXPECT_EQ(plan.ranks.size(), n);
  EXPECT_EQ(plan.changes.size(), static_cast<size_t>(depth) - 1);
  Drawn drawn;
  for (Rank rank : plan.ranks)
    drawn.order.push_back(
        static_cast<size_t>(std::count_if(plan.ranks.begin(), plan.ranks.end(), [&](Rank r) { return r < rank; })));
  for (const Change& change : plan.changes) {
    drawn.steps.push_back(change.step);
    drawn.levels.push_back(static_cast<size_t>(std::count_if(plan.changes.begin(), plan.changes.end(),
                                                             [&](const Change& c) { return c.rank < change.rank; })));
    for (Rank rank : plan.ranks) EXPECT_GT(rank, change.rank);
  }
  return drawn;
}

size_t permutation_number(const std::vector<size_t>& order) {
  std::vector<size_t> p(order.size());
  for (size_t i = 0; i < p.size(); ++i) p[i] = i;
  for (size_t number = 0;; ++number) {
    if (p == order) return number;
    if (!std::next_permutation(p.begin(), p.end())) ADD_FAILURE() << "ranks are not distinct";
  }
}

constexpr uint64_t kRuns = 100'000;

TEST(Pct, RanksAreAUniformPermutation) {
  std::vector<uint64_t> counts(24);
  for (uint64_t i = 0; i < kRuns; ++i) ++counts[permutation_number(draw(1, i, 4, 10, 1).order)];
  EXPECT_GT(uniform_tail(counts), kByLuck);
}

TEST(Pct, EachChangePointIsUniformFromOneToK) {
  for (Step k : {1u, 2u, 10u, 97u}) {
    std::vector<uint64_t> counts[3];
    for (auto& c : counts) c.resize(k);
    for (uint64_t i = 0; i < 50'000; ++i) {
      const Drawn drawn = draw(2, i, 3, k, 4);
      for (size_t pair = 0; pair < 3; ++pair) {
        ASSERT_TRUE(1 <= drawn.steps[pair] && drawn.steps[pair] <= k);
        ++counts[pair][drawn.steps[pair] - 1];
      }
    }
    for (const auto& c : counts) EXPECT_TRUE(k == 1 || uniform_tail(c) > kByLuck) << k;
  }
}

// The two change points and the permutation, all three together: every combination is equally likely.
TEST(Pct, ChangePointsAndRanksAreIndependent) {
  constexpr Step kSteps = 7;
  std::vector<uint64_t> counts(kSteps * kSteps * 6);
  for (uint64_t i = 0; i < kRuns; ++i) {
    const Drawn drawn = draw(3, i, 3, kSteps, 3);
    ++counts[((drawn.steps[0] - 1) * kSteps + drawn.steps[1] - 1) * 6 + permutation_number(drawn.order)];
  }
  EXPECT_GT(uniform_tail(counts), kByLuck);
}

// The i-th pair has the i-th highest low priority whatever its step: the pairs are not sorted in time.
TEST(Pct, LevelsBelongToPairsNotToTimes) {
  uint64_t first_is_higher[2] = {};
  for (uint64_t i = 0; i < 20'000; ++i) {
    const Drawn drawn = draw(4, i, 2, 1000, 3);
    ASSERT_EQ(drawn.levels, (std::vector<size_t>{1, 0}));
    if (drawn.steps[0] != drawn.steps[1]) ++first_is_higher[drawn.steps[0] < drawn.steps[1]];
  }
  EXPECT_GT(uniform_tail(first_is_higher), kByLuck);
}

TEST(Pct, IndicesAndSeedsDrawDifferently) {
  std::set<std::vector<Step>> seen;
  for (uint64_t seed = 0; seed < 20; ++seed)
    for (uint64_t index = 0; index < 20; ++index) seen.insert(draw(seed, index, 2, 1'000'000'000, 5).steps);
  EXPECT_EQ(seen.size(), 400u);
  EXPECT_EQ(draw(5, 6, 4, 1000, 5).steps, draw(5, 6, 4, 1000, 5).steps);
}

TEST(Catalog, NamesAreFoundAndNothingElse) {
  for (size_t i = 0; i < policy_catalog().size(); ++i)
    EXPECT_EQ(policy_named(policy_catalog()[i].name), static_cast<int>(i));
  for (const char* wrong : {"", "pc", "pctx", "PCT", "follow "}) EXPECT_EQ(policy_named(wrong), -1);
}

TEST(Catalog, DefaultsAreWithinTheirBounds) {
  for (const PolicyInfo& policy : policy_catalog()) {
    EXPECT_LE(policy.params.size(), static_cast<size_t>(kMaxPolicyParams));
    for (const ParamInfo& param : policy.params) {
      EXPECT_LE(param.min, param.default_value) << policy.name << " " << param.name;
      EXPECT_LE(param.default_value, param.max) << policy.name << " " << param.name;
    }
  }
}

}  // namespace
}  // namespace snarl::policy
