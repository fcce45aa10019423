#include "conduct/plan_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/test_statistics.h"
#include "policy/pct.h"

namespace snarl::conduct {
namespace {

ThreadSet set_of(std::initializer_list<ThreadId> threads) {
  ThreadSet set;
  for (ThreadId t : threads) set.add(t);
  return set;
}

// A runner of a plan that is written down.
struct Written {
  Written(std::vector<policy::Rank> r, std::vector<policy::Change> c) : ranks(std::move(r)), changes(std::move(c)) {
    policy::Plan plan;
    plan.ranks = ranks;
    plan.changes = changes;
    plan.insert = LateRng(1);
    runner->begin(plan);
    for (uint32_t t = 0; t < ranks.size(); ++t) runner->spawned(static_cast<ThreadId>(t), t);
  }
  std::vector<policy::Rank> ranks;
  std::vector<policy::Change> changes;
  std::unique_ptr<PlanRunner> runner = std::make_unique<PlanRunner>();
};

// A plan of pct.
policy::Plan drawn(uint64_t index, uint32_t n, Step k, int depth, Arena& arena) {
  Run run;
  run.key.index = index;
  run.key.policy.values[0] = depth;
  run.key.profile = {.threads = n, .epoch = 0, .steps = k};
  policy::Plan plan;
  policy::Pct().begin(run, arena, plan);
  return plan;
}

// Threads 0..count-1 from the highest to the lowest.
std::vector<ThreadId> order_of(PlanRunner& runner, ThreadId count) {
  ThreadSet left;
  for (ThreadId t = 0; t < count; ++t) left.add(t);
  std::vector<ThreadId> order;
  while (!left.empty()) {
    order.push_back(runner.best(left));
    left.remove(order.back());
  }
  return order;
}

TEST(PlanRunner, TheHighestOfThoseAskedFor) {
  Written w({30, 50, 40}, {});
  EXPECT_EQ(w.runner->best(set_of({0, 1, 2})), 1);
  EXPECT_EQ(w.runner->best(set_of({0, 2})), 2);
  EXPECT_EQ(w.runner->best(set_of({0})), 0);
}

TEST(PlanRunner, AChangeAppliesAfterItsStepToWhoTookIt) {
  Written w({30, 50, 40}, {{4, 20}});
  w.runner->stepped(3, 1);
  EXPECT_EQ(w.runner->best(set_of({0, 1, 2})), 1);
  w.runner->stepped(4, 1);
  EXPECT_EQ(order_of(*w.runner, 3), (std::vector<ThreadId>{2, 0, 1}));
}

// Both orders of the pairs in the plan; the one with the lower rank wins in both.
TEST(PlanRunner, OfEqualStepsTheLowestWins) {
  for (const bool swapped : {false, true}) {
    std::vector<policy::Change> changes = {{4, 20}, {4, 10}, {5, 15}};
    if (swapped) std::swap(changes[0], changes[1]);
    Written w({30, 50}, changes);
    w.runner->stepped(4, 1);
    w.runner->stepped(5, 0);  // now 15: above 10, below 20
    EXPECT_EQ(w.runner->best(set_of({0, 1})), 0) << swapped;
  }
}

TEST(PlanRunner, TheNextChange) {
  Written w({30, 50}, {{9, 10}, {4, 20}});
  EXPECT_EQ(w.runner->next_change(), 4u);
  w.runner->stepped(4, 0);
  EXPECT_EQ(w.runner->next_change(), 9u);
  w.runner->stepped(9, 0);
  EXPECT_EQ(w.runner->next_change(), PlanRunner::kNoChange);
}

// n = 2 planned, a third beyond it: each of the three places is equally likely.
TEST(PlanRunner, AThreadBeyondNIsInsertedAtAUniformPlace) {
  uint64_t places[4] = {};
  auto runner = std::make_unique<PlanRunner>();
  for (uint64_t i = 0; i < 100'000; ++i) {
    policy::Rank ranks[] = {300, 100, 200};
    policy::Plan plan;
    plan.ranks = ranks;
    plan.insert = LateRng(Rng::seed_of(1, i, Stream::kPolicy));
    runner->begin(plan);
    for (ThreadId t = 0; t < 4; ++t) runner->spawned(t, t);
    const std::vector<ThreadId> order = order_of(*runner, 4);
    ++places[std::find(order.begin(), order.end(), 3) - order.begin()];
    ASSERT_LT(std::find(order.begin(), order.end(), 0), std::find(order.begin(), order.end(), 2));
    ASSERT_LT(std::find(order.begin(), order.end(), 2), std::find(order.begin(), order.end(), 1));
  }
  EXPECT_GT(uniform_tail(places), kByLuck);
}

// A uniform permutation of n extended by uniform insertions is a uniform permutation, for every n (also 0 and 1).
TEST(PlanRunner, PctWithTooSmallANIsStillAUniformPermutation) {
  std::vector<char> memory(4096);
  auto runner = std::make_unique<PlanRunner>();
  for (uint32_t n = 0; n <= 4; ++n) {
    std::vector<uint64_t> counts(24);
    for (uint64_t i = 0; i < 50'000; ++i) {
      Arena arena(memory.data(), memory.size());
      runner->begin(drawn(i, n, 100, 2, arena));
      for (ThreadId t = 0; t < 4; ++t) runner->spawned(t, t);
      std::vector<ThreadId> p = order_of(*runner, 4), q = {0, 1, 2, 3};
      size_t number = 0;
      while (q != p) std::next_permutation(q.begin(), q.end()), ++number;
      ++counts[number];
    }
    EXPECT_GT(uniform_tail(counts), kByLuck) << "n = " << n;
  }
}

TEST(PlanRunner, AnInsertedThreadIsAboveEveryLoweredOne) {
  auto runner = std::make_unique<PlanRunner>();
  for (uint64_t i = 0; i < 2000; ++i) {
    std::vector<char> memory(4096);
    Arena arena(memory.data(), memory.size());
    runner->begin(drawn(i, 1, 4, 3, arena));
    runner->spawned(0, 0);
    for (Step step = 1; step <= 4; ++step) runner->stepped(step, 0);
    for (ThreadId t = 1; t < 40; ++t) {
      runner->spawned(t, t);
      ASSERT_EQ(runner->best(set_of({0, t})), t);
    }
  }
}

// Threads without end, far more than there are places between two ranks: no crash, and all get their turn at the top.
TEST(PlanRunner, ManyThousandThreadsBeyondN) {
  Written w({100, 200}, {{5, 50}});
  for (uint32_t ordinal = 2; ordinal < 20'000; ++ordinal) {
    const ThreadId slot = static_cast<ThreadId>(2 + ordinal % 1000);
    w.runner->spawned(slot, ordinal);
    ASSERT_EQ(w.runner->best(set_of({slot})), slot);
  }
}

}  // namespace
}  // namespace snarl::conduct
