#include "coseq/strategy/strategy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/arena.h"
#include "base/test_statistics.h"
#include "coseq/strategy/catalog.h"
#include "coseq/strategy/pct.h"
#include "coseq/strategy/uact.h"
#include "policy/pct.h"

namespace snarl::coseq {
namespace {

std::vector<LanePlan> drawn(const Strategy& strategy, uint64_t group, const Shape& shape) {
  std::vector<LanePlan> lanes(strategy.group_size());
  strategy.fill(7, group, shape, lanes);
  return lanes;
}

// (step, target) of each change.
std::vector<std::pair<uint32_t, uint32_t>> changes(const LanePlan& plan) {
  std::vector<std::pair<uint32_t, uint32_t>> list;
  for (unsigned i = 0; i < plan.changes; ++i) list.emplace_back(plan.points[i], plan.targets[i]);
  std::sort(list.begin(), list.end());
  return list;
}

bool is_permutation_of_priorities(const LanePlan& plan) {
  std::set<unsigned> ranks(plan.ranks, plan.ranks + plan.threads);
  return ranks.size() == plan.threads && *ranks.begin() == plan.changes + 1 &&
         *ranks.rbegin() == plan.changes + plan.threads;
}

// The counts of what was seen, with a zero for each of `all` that was not.
template <typename Key>
std::vector<uint64_t> counts(const std::map<Key, uint64_t>& seen, size_t all) {
  std::vector<uint64_t> list;
  for (const auto& [key, count] : seen) list.push_back(count);
  EXPECT_LE(list.size(), all);
  list.resize(all);
  return list;
}

TEST(PctStrategy, DrawsThePlanOfTheNativePolicy) {
  for (uint64_t index = 0; index < 50; ++index) {
    snarl::Run run;
    run.key.seed = 7;
    run.key.index = index;
    run.key.policy.values[0] = 4;
    run.key.profile = {.threads = 5, .epoch = 1, .steps = 100};
    alignas(64) char room[4096];
    Arena arena(room, sizeof room);
    policy::Plan native;
    policy::draw_pct_plan(run, arena, native);
    const LanePlan plan = drawn(PctStrategy(), index, {5, 100, 4})[0];
    ASSERT_EQ(plan.threads, native.ranks.size());
    for (size_t i = 0; i < native.ranks.size(); ++i) EXPECT_EQ(policy::pct_rank(plan.ranks[i]), native.ranks[i]);
    ASSERT_EQ(plan.changes, native.changes.size());
    for (size_t i = 0; i < native.changes.size(); ++i) {
      EXPECT_EQ(plan.points[i], native.changes[i].step);
      EXPECT_EQ(policy::pct_rank(plan.targets[i]), native.changes[i].rank);
    }
  }
}

// Each lane by itself: every set of distinct points with every order of the low priorities, and every permutation of
// the threads, is equally likely.
TEST(Uact, EachLaneHasTheLawOfPctWithDistinctPoints) {
  constexpr uint32_t kLanes = 8, kGroups = 24000;
  const Uact uact(kLanes);
  for (const Shape& shape : {Shape{3, 9, 2}, Shape{3, 6, 3}, Shape{2, 5, 4}, Shape{2, 4, 5}}) {
    size_t sets = 1;  // ordered sets of d - 1 distinct points
    for (uint32_t i = 0; i + 1 < shape.depth; ++i) sets *= shape.steps - i;
    for (const uint32_t lane : {0u, 3u, 7u}) {
      std::map<std::vector<std::pair<uint32_t, uint32_t>>, uint64_t> points;
      std::map<std::vector<unsigned>, uint64_t> orders;
      for (uint64_t group = 0; group < kGroups; ++group) {
        const LanePlan plan = drawn(uact, group, shape)[lane];
        ASSERT_TRUE(is_permutation_of_priorities(plan));
        ++points[changes(plan)];
        ++orders[{plan.ranks, plan.ranks + plan.threads}];
      }
      EXPECT_GT(uniform_tail(counts(points, sets)), kByLuck) << "depth " << shape.depth << ", lane " << lane;
      EXPECT_GT(uniform_tail(counts(orders, shape.threads == 3 ? 6 : 2)), kByLuck);
    }
  }
}

TEST(Uact, LanesPartByTheirHighestBitsFirst) {
  const Uact uact(8);
  for (uint64_t group = 0; group < 200; ++group) {
    const std::vector<LanePlan> lanes = drawn(uact, group, {4, 1000, 4});
    for (size_t l = 0; l < 8; ++l) {
      EXPECT_TRUE(std::equal(lanes[l].ranks, lanes[l].ranks + 4, lanes[0].ranks));
      EXPECT_EQ(lanes[l].points[0], lanes[l & 4].points[0]);
      EXPECT_EQ(lanes[l].points[1], lanes[l & 6].points[1]);
      EXPECT_LT(lanes[l].points[0], lanes[l].points[1]);
      EXPECT_LT(lanes[l].points[1], lanes[l].points[2]);
    }
    for (size_t l = 0; l < 8; l += 2) EXPECT_NE(lanes[l].points[2], lanes[l + 1].points[2]);
  }
}

TEST(Uact, LaneCountBeyondTheStepsRepeatsThem) {
  for (uint64_t group = 0; group < 100; ++group) {
    std::map<unsigned, int> seen;
    for (const LanePlan& plan : drawn(Uact(16), group, {2, 8, 2})) ++seen[plan.points[0]];
    ASSERT_EQ(seen.size(), 8u);
    for (const auto& [point, times] : seen) EXPECT_EQ(times, 2) << point;
  }
  for (uint32_t depth : {3u, 6u, 16u})  // fewer steps than changes
    for (const LanePlan& plan : drawn(Uact(32), 1, {2, 1, depth})) {
      std::set<unsigned> points(plan.points, plan.points + plan.changes);
      EXPECT_EQ(points.size(), plan.changes);
    }
}

TEST(Uact, WithoutChangesEachLaneHasItsOwnPriorities) {
  std::set<std::vector<unsigned>> orders;
  for (const LanePlan& plan : drawn(Uact(32), 3, {8, 100, 1})) {
    EXPECT_TRUE(is_permutation_of_priorities(plan));
    orders.insert({plan.ranks, plan.ranks + plan.threads});
  }
  EXPECT_GT(orders.size(), 25u);
}

TEST(Catalog, ReadsWhatItWrites) {
  for (const StrategyInfo& info : strategy_catalog()) {
    const Expected<Chosen> chosen = parse_strategy(info.name);
    ASSERT_TRUE(chosen) << info.name;
    const Expected<Chosen> again = parse_strategy(chosen->text);
    ASSERT_TRUE(again) << chosen->text;
    EXPECT_EQ(again->text, chosen->text);
  }
  EXPECT_EQ(parse_strategy("uact:depth=4,lanes=64")->text, "uact:depth=4,lanes=64");
  EXPECT_EQ(parse_strategy("uact:depth=4,lanes=64")->strategy->group_size(), 64u);
  for (const char* text : {"", "hold", "pct:", "pct:depth=0", "pct:depth=17", "pct:deep=3", "random:depth=3",
                           "pct:depth=3,", "uact:lanes=33", "pct:depth=x"})
    EXPECT_FALSE(parse_strategy(text)) << text;
}

}  // namespace
}  // namespace snarl::coseq
