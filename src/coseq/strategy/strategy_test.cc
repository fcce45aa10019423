#include "coseq/strategy/strategy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/arena.h"
#include "base/test_statistics.h"
#include "coseq/strategy/act.h"
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

// Algorithm 3, line by line, with halves counted from 0: which of its tuples' steps a lane takes.
std::vector<unsigned> by_the_algorithm(unsigned lane, unsigned warp, unsigned depth,
                                       const std::vector<unsigned>& drawn) {
  std::vector<std::vector<unsigned>> tuples;
  size_t next = 0;
  for (unsigned i = 1; i < depth; ++i) {
    tuples.emplace_back();
    for (unsigned n = i < depth - 1 ? 2 : warp >> (depth - 2); n > 0; --n) tuples.back().push_back(drawn.at(next++));
  }
  EXPECT_EQ(next, drawn.size());
  std::vector<unsigned> taken;
  unsigned size = warp, id = lane % size, half = 2 * id / size;
  for (unsigned i = 1; i < depth; ++i) {
    if (i == depth - 1) {
      taken.push_back(tuples[i - 1].at(id));
      break;
    }
    taken.push_back(tuples[i - 1].at(half));
    size /= 2;
    id %= size;
    half = 2 * id / size;
  }
  return taken;
}

std::vector<unsigned> all_points(const std::vector<LanePlan>& lanes) {
  std::set<unsigned> points;
  for (const LanePlan& plan : lanes) points.insert(plan.points, plan.points + plan.changes);
  return {points.begin(), points.end()};
}

TEST(Act, TakesTheStepsThatThePrintedAlgorithmTakes) {
  for (const unsigned depth : {2u, 3u, 4u, 5u, 6u, 7u})
    for (uint64_t group = 0; group < 20; ++group) {
      const std::vector<LanePlan> lanes = drawn(Act(32, depth), group, {5, 5000, depth});
      const std::vector<unsigned> points = all_points(lanes);
      ASSERT_EQ(points.size(), 2 * (depth - 2) + (32u >> (depth - 2)));
      for (unsigned lane = 0; lane < 32; ++lane) {
        const LanePlan& plan = lanes[lane];
        EXPECT_EQ(std::vector<unsigned>(plan.points, plan.points + plan.changes),
                  by_the_algorithm(lane, 32, depth, points));
        EXPECT_TRUE(std::equal(plan.ranks, plan.ranks + 5, lanes[0].ranks));
        EXPECT_TRUE(is_permutation_of_priorities(plan));
        for (unsigned i = 0; i < plan.changes; ++i) EXPECT_EQ(plan.targets[i], depth - 1 - i);
      }
    }
}

// Figure 2 of the paper: eight lanes in one group; at each of three preemptions each group parts in halves, and after
// the third every lane is alone.
TEST(Act, EightLanesPartInHalvesThreeTimes) {
  for (uint64_t group = 0; group < 50; ++group) {
    const std::vector<LanePlan> lanes = drawn(Act(8, 4), group, {2, 1000, 4});
    for (unsigned split = 0; split <= 3; ++split) {
      std::map<std::vector<unsigned>, std::vector<unsigned>> groups;  // by the steps up to there
      for (unsigned lane = 0; lane < 8; ++lane)
        groups[{lanes[lane].points, lanes[lane].points + split}].push_back(lane);
      ASSERT_EQ(groups.size(), 1u << split);
      for (const auto& [steps, members] : groups) {
        EXPECT_EQ(members.size(), 8u >> split);
        EXPECT_EQ(members.back() - members.front() + 1, members.size());  // neighbours
      }
    }
  }
}

TEST(Act, AtDepthOneAGroupIsOneSchedule) {
  for (const LanePlan& plan : drawn(Act(32, 1), 5, {6, 100, 1})) {
    EXPECT_EQ(plan.changes, 0u);
    EXPECT_TRUE(std::equal(plan.ranks, plan.ranks + 6, drawn(Act(32, 1), 5, {6, 100, 1})[0].ranks));
  }
}

TEST(Act, ShortProgramsAndDeepOnesHaveTheirGroups) {
  for (const LanePlan& plan : drawn(Act(32, 2), 1, {2, 10, 2})) {
    EXPECT_GE(plan.points[0], 1u);
    EXPECT_LE(plan.points[0], 10u);
  }
  EXPECT_EQ(Act(32, 7).group_size(), 32u);
  EXPECT_EQ(Act(32, 9).group_size(), 128u);  // several warps
  std::set<std::vector<unsigned>> different;
  for (const LanePlan& plan : drawn(Act(32, 9), 1, {3, 5000, 9})) different.insert({plan.points, plan.points + 8});
  EXPECT_EQ(different.size(), 128u);
}

// Each lane of act lowers later steps more. So of two threads that were lowered, the one that was lowered first always
// goes on first: a bug that needs the other order can't be found, however many lanes run. Uact has both orders.
TEST(Act, NeverLetsTheSecondLoweredThreadGoFirst) {
  const auto nested = [](const Strategy& strategy) {
    int found = 0;
    for (uint64_t group = 0; group < 300; ++group)
      for (const LanePlan& plan : drawn(strategy, group, {3, 60, 3})) {
        const auto list = changes(plan);
        found += list.size() == 2 && list[0].first < list[1].first && list[0].second < list[1].second;
      }
    return found;
  };
  EXPECT_EQ(nested(Act(32, 3)), 0);
  EXPECT_GT(nested(Uact(32)), 300 * 32 / 4);
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
