// The semantics, exhaustively: the schedules of tiny programs are counted and compared with
// closed formulas and with an interpreter of its own.
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/rng.h"
#include "tests/virtual/every_schedule.h"

namespace snarl {
namespace {

using Ending = std::pair<std::string, std::vector<int>>;  // outcome, trace

virtual_world::VirtualProgram events(int count) {
  return [count](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < count; ++i) co_await w.event();
  };
}

long binomial(long n, long k) { return k == 0 ? 1 : binomial(n - 1, k - 1) * n / k; }

// Main: after, a events, exit. The other: start, b events, exit. Nothing depends on anything.
TEST(EverySchedule, TwoIndependentThreads) {
  for (int a = 0; a <= 4; ++a)
    for (int b = 0; b <= 4; ++b) {
      const virtual_world::VirtualProgram program = [=](virtual_world::World& w) -> virtual_world::Task {
        co_await w.create(events(b));
        for (int i = 0; i < a; ++i) co_await w.event();
      };
      std::set<std::vector<uint64_t>> distinct;
      const long schedules = for_every_schedule(program, false, [&](const virtual_world::VirtualResult& r) {
        ASSERT_EQ(r.outcome, OutcomeKind::kOk);
        std::vector<uint64_t> switches;
        for (const Decision& d : r.decisions) switches.push_back(d.step << 8 | d.to);
        distinct.insert(switches);
      });
      EXPECT_EQ(schedules, binomial(a + b + 4, a + 2)) << a << " " << b;
      EXPECT_EQ(static_cast<long>(distinct.size()), schedules) << "the recordings differ as the schedules do";
    }
}

// Interleavings of main (m steps left), A and B, where B exists once main has taken its second step.
long interleavings(int m, int a, int b, int born_at) {
  if (m == 0 && a == 0 && b == 0) return 1;
  return (m > 0 ? interleavings(m - 1, a, b, born_at) : 0) + (a > 0 ? interleavings(m, a - 1, b, born_at) : 0) +
         (b > 0 && m <= born_at ? interleavings(m, a, b - 1, born_at) : 0);
}

// Main: after, create, after, c events, exit. The create is counted, as two threads live, unless A has ended.
TEST(EverySchedule, ThreeThreadsOneBornLate) {
  for (int c = 0; c <= 2; ++c) {
    const virtual_world::VirtualProgram program = [=](virtual_world::World& w) -> virtual_world::Task {
      co_await w.create(events(1));
      co_await w.create(events(0));
      for (int i = 0; i < c; ++i) co_await w.event();
    };
    const long schedules = for_every_schedule(program, false, [](const virtual_world::VirtualResult&) {});
    EXPECT_EQ(schedules, interleavings(c + 4, 3, 2, c + 2)) << c;
  }
}

// An interpreter of two threads that lock (0, 1), unlock (2, 3) two mutexes or do nothing (4).
class Interpreter {
 public:
  Interpreter(const std::vector<int>& main, const std::vector<int>& other) {
    steps_[0] = {kNothing};  // the point after create
    steps_[1] = {kNothing};  // start
    for (int t : {0, 1}) {
      for (int op : t == 0 ? main : other) {
        steps_[t].push_back(op);
        if (op == 2 || op == 3) steps_[t].push_back(kNothing);  // the point after unlock
      }
      steps_[t].push_back(kNothing);  // exit
    }
    go({0, 0}, {false, false});
  }
  long ok = 0, deadlocks = 0;

 private:
  static constexpr int kNothing = 4;
  void go(std::array<size_t, 2> at, std::array<bool, 2> held) {
    bool moved = false;
    for (size_t t : {0u, 1u}) {
      if (at[t] == steps_[t].size()) continue;
      const int op = steps_[t][at[t]];
      if (op < 2 && held[static_cast<size_t>(op)]) continue;
      moved = true;
      auto next_at = at;
      auto next_held = held;
      ++next_at[t];
      if (op < kNothing) next_held[static_cast<size_t>(op % 2)] = op < 2;
      go(next_at, next_held);
    }
    if (moved) return;
    const bool ended = at[0] == steps_[0].size() && at[1] == steps_[1].size();
    ++(ended ? ok : deadlocks);
  }
  std::vector<int> steps_[2];
};

virtual_world::Task interpret(virtual_world::World& w, std::vector<int> ops) {
  for (int op : ops) {
    if (op < 2)
      co_await w.lock(op);
    else if (op < 4)
      co_await w.unlock(op - 2);
    else
      co_await w.event();
  }
}

TEST(EverySchedule, RandomLockProgramsAgreeWithAnInterpreter) {
  Rng rng(1);
  long with_deadlock = 0;
  for (int round = 0; round < 150; ++round) {
    std::vector<int> main(1 + rng.below(4)), other(1 + rng.below(4));
    for (auto* ops : {&main, &other})
      for (int& op : *ops) op = static_cast<int>(rng.below(5));
    const virtual_world::VirtualProgram program = [&](virtual_world::World& w) -> virtual_world::Task {
      co_await w.create([&](virtual_world::World& v) { return interpret(v, other); });
      for (int op : main) {
        if (op < 2)
          co_await w.lock(op);
        else if (op < 4)
          co_await w.unlock(op - 2);
        else
          co_await w.event();
      }
    };
    std::map<OutcomeKind, long> counts;
    for_every_schedule(program, false, [&](const virtual_world::VirtualResult& r) { ++counts[r.outcome]; });
    const Interpreter expected(main, other);
    ASSERT_EQ(counts[OutcomeKind::kOk], expected.ok) << round;
    ASSERT_EQ(counts[OutcomeKind::kDeadlock], expected.deadlocks) << round;
    with_deadlock += expected.deadlocks > 0;
  }
  EXPECT_GT(with_deadlock, 20);
}

std::set<Ending> endings(const virtual_world::VirtualProgram& program) {
  std::set<Ending> found;
  for_every_schedule(program, true, [&](const virtual_world::VirtualResult& r) {
    found.insert({name_of(r.outcome), r.trace});
  });
  return found;
}

virtual_world::VirtualProgram waiter(int id) {
  return [id](virtual_world::World& w) -> virtual_world::Task {
    co_await w.lock(0);
    co_await w.wait(1, 0);
    w.note(id);
    co_await w.unlock(0);
  };
}

// Two waiters and two calls: exactly what POSIX without spurious wake-ups allows.
virtual_world::VirtualProgram two_waiters(bool first_is_broadcast, bool second) {
  return [=](virtual_world::World& w) -> virtual_world::Task {
    co_await w.create(waiter(1));
    co_await w.create(waiter(2));
    co_await w.lock(0);
    if (first_is_broadcast)
      co_await w.broadcast(1);
    else
      co_await w.signal(1);
    if (second) co_await w.signal(1);
    co_await w.unlock(0);
  };
}

TEST(EverySchedule, OneSignalWakesAtMostOneAndEitherCanBeIt) {
  EXPECT_EQ(endings(two_waiters(false, false)),
            (std::set<Ending>{{"deadlock", {}}, {"deadlock", {1}}, {"deadlock", {2}}}));
}

TEST(EverySchedule, TwoSignalsOrABroadcastWakeBothInEitherOrder) {
  const std::set<Ending> expected = {
      {"deadlock", {}}, {"deadlock", {1}}, {"deadlock", {2}}, {"ok", {1, 2}}, {"ok", {2, 1}}};
  EXPECT_EQ(endings(two_waiters(false, true)), expected);
  EXPECT_EQ(endings(two_waiters(true, false)), expected);
}

TEST(EverySchedule, APredicateUnderWhileLosesNothing) {
  const virtual_world::VirtualProgram taker = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.lock(0);
    while (w.value[0] == 0) co_await w.wait(1, 0);
    --w.value[0];
    co_await w.unlock(0);
  };
  const virtual_world::VirtualProgram program = [=](virtual_world::World& w) -> virtual_world::Task {
    co_await w.create(taker);
    co_await w.create(taker);
    for (int i = 0; i < 2; ++i) {
      co_await w.lock(0);
      ++w.value[0];
      co_await w.signal(1);
      co_await w.unlock(0);
    }
  };
  EXPECT_EQ(endings(program), (std::set<Ending>{{"ok", {}}}));
}

// trylock is always enabled, and both of its results are reached.
TEST(EverySchedule, TrylockBothWays) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.create([](virtual_world::World& v) -> virtual_world::Task { co_await v.lock(0), co_await v.unlock(0); });
    w.note(co_await w.trylock(0));
  };
  EXPECT_EQ(endings(program), (std::set<Ending>{{"deadlock", {0}}, {"ok", {0}}, {"ok", {EBUSY}}}));
}

}  // namespace
}  // namespace snarl
