// pos, urw and surw: uniform over what their papers say, by chi-square on small virtual programs. Fixed seeds; a right
// policy fails by luck with less than 1e-9.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/test_statistics.h"
#include "policy/shares.h"
#include "policy/surw.h"
#include "tests/virtual/mini_programs.h"
#include "virtual/world.h"

namespace snarl {
namespace {

// A thread that notes its id for each of its events.
virtual_world::VirtualProgram noter(int id, int events) {
  return [=](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < events; ++i) {
      co_await w.event();
      w.note(id);
    }
  };
}

// Main creates threads with so many events each, and notes its own between. A thread's start and exit, and the point
// after a create, are events like others.
virtual_world::VirtualProgram family(std::vector<int> events) {
  return [=](virtual_world::World& w) -> virtual_world::Task {
    for (size_t i = 0; i < events.size(); ++i) {
      const virtual_world::VirtualProgram body = noter(static_cast<int>(i) + 1, events[i]);
      co_await w.create(body);
    }
    co_await w.event();
    w.note(0);
  };
}

// A whole schedule as text: who took each step, until one thread is left.
std::vector<uint32_t> schedule_of(const virtual_world::VirtualResult& r) {
  std::vector<uint32_t> text;
  for (const Decision& d : r.decisions) {
    text.push_back(static_cast<uint32_t>(d.step));
    text.push_back(d.to);
  }
  return text;
}

std::map<std::vector<uint32_t>, uint64_t> schedules(const virtual_world::VirtualProgram& program, const char* policy,
                                                    uint64_t runs) {
  const virtual_world::VirtualCounts counts = virtual_world::profile_virtual(program, 8);
  std::map<std::vector<uint32_t>, uint64_t> seen;
  for (uint64_t i = 0; i < runs; ++i) {
    snarl::Run run = virtual_world::virtual_run(policy, 0, 5, i, 4, 30);
    counts.tell(run);
    ++seen[schedule_of(virtual_world::run_virtual(program, run))];
  }
  return seen;
}

double tail(const std::map<std::vector<uint32_t>, uint64_t>& seen) {
  std::vector<uint64_t> counts;
  for (const auto& [schedule, count] : seen) counts.push_back(count);
  return uniform_tail(counts);
}

// How many interleavings: by the rule of the events that are left, not by the policy.
uint64_t choose(uint64_t n, uint64_t k) {
  double result = 1;
  for (uint64_t i = 1; i <= k; ++i) result = result * static_cast<double>(n - k + i) / static_cast<double>(i);
  return static_cast<uint64_t>(result + 0.5);
}

// One child of 3 events (5 with start and exit) against main's remaining 3 (after create, event, exit).
TEST(Urw, EveryInterleavingOfTwoIsEquallyLikely) {
  const auto seen = schedules(family({3}), "urw", 60'000);
  EXPECT_EQ(seen.size(), choose(8, 3));
  EXPECT_GT(tail(seen), kByLuck);
  const auto walk = schedules(family({3}), "random", 60'000);
  EXPECT_LT(tail(walk), kByLuck) << "the test would not see the difference";
}

// The second child is created while the first runs: its events count for main until then.
TEST(Urw, EveryInterleavingOfThreeIsEquallyLikely) {
  const auto seen = schedules(family({1, 2}), "urw", 400'000);
  EXPECT_GT(seen.size(), 500u);
  EXPECT_GT(tail(seen), kByLuck);
}

// A grandchild's events count for the child, and before that for main.
TEST(Urw, GrandchildrenCount) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    const virtual_world::VirtualProgram child = [](virtual_world::World& v) -> virtual_world::Task {
      const virtual_world::VirtualProgram grandchild = noter(2, 1);
      co_await v.create(grandchild);
    };
    co_await w.create(child);
    co_await w.event();
  };
  const auto seen = schedules(program, "urw", 300'000);
  EXPECT_GT(seen.size(), 100u);
  EXPECT_GT(tail(seen), kByLuck);
}

// Threads that take one lock so many times each, with other things to do between; notes the order.
virtual_world::VirtualProgram lockers(std::vector<int> times) {
  return [=](virtual_world::World& w) -> virtual_world::Task {
    for (size_t i = 0; i < times.size(); ++i) {
      const virtual_world::VirtualProgram body = [id = static_cast<int>(i),
                                                  count = times[i]](virtual_world::World& v) -> virtual_world::Task {
        for (int j = 0; j < id * 5; ++j) co_await v.event();  // the later ones have much more to do before
        for (int j = 0; j < count; ++j) {
          co_await v.lock(0);
          v.note(id);
          co_await v.unlock(0);
        }
      };
      co_await w.create(body);
    }
  };
}

std::map<std::vector<int>, uint64_t> orders(const virtual_world::VirtualProgram& program, const char* policy,
                                            uint64_t runs) {
  const virtual_world::VirtualCounts counts = virtual_world::profile_virtual(program);
  std::map<std::vector<int>, uint64_t> seen;
  for (uint64_t i = 0; i < runs; ++i) {
    snarl::Run run = virtual_world::virtual_run(policy, 0, 5, i, 4, 60);
    counts.tell(run);
    ++seen[virtual_world::run_virtual(program, run).trace];
  }
  return seen;
}

double tail_of(const std::map<std::vector<int>, uint64_t>& seen) {
  std::vector<uint64_t> counts;
  for (const auto& [order, count] : seen) counts.push_back(count);
  return uniform_tail(counts);
}

TEST(Surw, EveryOrderOfTheAccessesIsEquallyLikely) {
  const auto seen = orders(lockers({2, 3}), "surw", 50'000);
  EXPECT_EQ(seen.size(), choose(5, 2));
  EXPECT_GT(tail_of(seen), kByLuck);
  const auto three = orders(lockers({1, 2, 2}), "surw", 60'000);
  EXPECT_EQ(three.size(), 30u);
  EXPECT_GT(tail_of(three), kByLuck);
  EXPECT_LT(tail_of(orders(lockers({2, 3}), "random", 50'000)), kByLuck);
}

TEST(Surw, PicksAnObjectByItsAccesses) {
  const std::vector<ObjectCount> objects = {{1, 1000, 4}, {2, 1000, 2}, {1, 1001, 2}};
  std::vector<uint64_t> counts(4);  // the first object in three quarters of the runs
  for (uint64_t i = 0; i < 40'000; ++i) {
    Rng rng(5, i, Stream::kPolicy);
    ++counts[policy::Surw::pick_object({{}, objects}, rng) == 1001 ? 3 : i % 3];
  }
  EXPECT_GT(uniform_tail(counts), kByLuck);
  Rng rng(1);
  EXPECT_EQ(policy::Surw::pick_object({}, rng), 0u);
}

// pos: the order of two conflicting events does not depend on how far away the second is. Two threads that take one
// lock once: each first in half of the runs, if the one that is far away is drawn again; with `random` the near one is
// first almost always.
TEST(Pos, DrawsConflictingEventsAnew) {
  const auto near_first = [](const char* policy) {
    uint64_t count = 0;
    for (const auto& [order, times] : orders(lockers({1, 1}), policy, 20'000))
      if (!order.empty() && order[0] == 0) count += times;
    return static_cast<double>(count) / 20'000;
  };
  EXPECT_GT(near_first("random"), 0.9);
  EXPECT_LT(near_first("pos"), near_first("random"));
  EXPECT_GT(near_first("pos"), 0.5);
}

// Three threads, each with one event on the same lock: all orders of the three are equally likely.
TEST(Pos, SymmetricThreadsAreEquallyLikely) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.lock(1);  // until all are there
    for (int id = 0; id < 3; ++id) {
      const virtual_world::VirtualProgram body = [id](virtual_world::World& v) -> virtual_world::Task {
        co_await v.lock(1);
        v.note(id);
        co_await v.unlock(1);
      };
      co_await w.create(body);
    }
    for (int i = 0; i < 60; ++i) co_await w.yield();
    co_await w.unlock(1);
  };
  const auto seen = orders(program, "pos", 30'000);
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_GT(tail_of(seen), kByLuck);
}

TEST(Shares, ChildrenTakeTheirShareAlong) {
  std::vector<char> memory(1 << 17);
  Arena arena(memory.data(), memory.size());
  const uint64_t child = name_of_child(kMainName, 0), grandchild = name_of_child(child, 0);
  std::vector<ThreadCount> threads = {{kMainName, 0, 10}, {child, kMainName, 5}, {grandchild, child, 7}};
  std::sort(threads.begin(), threads.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  const std::vector<ObjectCount> objects = {{grandchild, 42, 3}};
  policy::Shares all, some;
  all.begin({threads, objects}, 0, arena);
  some.begin({threads, objects}, 42, arena);
  EXPECT_EQ(all.own(0), 10u);
  EXPECT_EQ(all.unspawned(0), 12u);
  EXPECT_EQ(some.unspawned(0), 3u);
  all.spawned(0, 1, child);
  EXPECT_EQ(all.unspawned(0), 0u);
  EXPECT_EQ(all.unspawned(1), 7u);
  all.spawned(1, 2, grandchild);
  EXPECT_EQ(all.own(2), 7u);
  EXPECT_EQ(all.unspawned(1), 0u);
  all.spawned(1, 3, 12345);  // unknown
  EXPECT_EQ(all.own(3), 0u);
}

// Counts from a wire that somebody scribbled on: a circle of parents must end.
TEST(Shares, CirclesOfParentsEnd) {
  std::vector<char> memory(1 << 17);
  Arena arena(memory.data(), memory.size());
  const std::vector<ThreadCount> threads = {{1, 2, 3}, {2, 1, 4}, {kMainName, kMainName, 5}};
  policy::Shares shares;
  shares.begin({threads, {}}, 0, arena);
  EXPECT_EQ(shares.own(0), 5u);
}

}  // namespace
}  // namespace snarl
