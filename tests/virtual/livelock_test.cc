// What is called a livelock, and what only looks like one.
#include <gtest/gtest.h>

#include <cerrno>

#include "virtual/world.h"

namespace snarl {
namespace {

constexpr uint64_t kMillisecond = 1'000'000, kHour = 3'600'000 * kMillisecond;
constexpr Step kBudget = 200'000;

virtual_world::VirtualProgram both(virtual_world::VirtualProgram a, virtual_world::VirtualProgram b) {
  return [a, b](virtual_world::World& w) -> virtual_world::Task {
    const int first = co_await w.create(a), second = co_await w.create(b);
    co_await w.join(first);
    co_await w.join(second);
  };
}

OutcomeKind outcome(const virtual_world::VirtualProgram& program, const char* policy, uint64_t index = 0,
                    Step budget = kBudget) {
  return virtual_world::run_virtual(program, virtual_world::virtual_run(policy, 2, 1, index, 3, 100), budget).outcome;
}

// Every step to the other thread, as far as it can go: threads in lock step.
class InTurn final : public policy::Policy {
 public:
  bool begin(const Run&, Arena&, policy::Plan&) override { return false; }
  void decide(const policy::View& view, policy::Verdict& verdict) override {
    verdict.first = view.enabled.first();
    bool passed = false;
    view.enabled.for_each([&](ThreadId t) {
      if (passed) verdict.first = t;
      passed = t == view.last;
    });
  }
};

// Always the lowest slot: whoever is above it starves.
class Lowest final : public policy::Policy {
 public:
  bool begin(const Run&, Arena&, policy::Plan&) override { return false; }
  void decide(const policy::View& view, policy::Verdict& verdict) override { verdict.first = view.enabled.first(); }
};

virtual_world::Task yield_for_flag(virtual_world::World& w) {
  while (w.value[0] == 0) co_await w.yield();
}
virtual_world::Task sleep_for_flag(virtual_world::World& w) {
  while (w.value[0] == 0) co_await w.sleep(kMillisecond);
}
virtual_world::Task wait_for_flag(virtual_world::World& w) {
  co_await w.lock(0);
  while (w.value[0] == 0) co_await w.wait_for(1, 0, kMillisecond);
  co_await w.unlock(0);
}
virtual_world::Task try_for_ever(virtual_world::World& w) {
  for (int error = EBUSY; error != 0;) error = co_await w.trylock(2);
}
virtual_world::Task nothing(virtual_world::World&) { co_return; }

TEST(Livelock, NobodySetsTheFlag) {
  for (const char* policy : {"random", "pct"}) {
    EXPECT_EQ(outcome(both(yield_for_flag, yield_for_flag), policy), OutcomeKind::kLivelock) << policy;
    EXPECT_EQ(outcome(both(yield_for_flag, sleep_for_flag), policy), OutcomeKind::kLivelock) << policy;
    EXPECT_EQ(outcome(both(yield_for_flag, wait_for_flag), policy), OutcomeKind::kLivelock) << policy;
  }
}

TEST(Livelock, OfTheLastThread) {
  EXPECT_EQ(outcome(both(nothing, nothing), "random"), OutcomeKind::kOk);
  const virtual_world::VirtualProgram alone = [](virtual_world::World& w) -> virtual_world::Task {
    const int t = co_await w.create(nothing);
    co_await w.join(t);
    while (w.value[0] == 0) co_await w.yield();
  };
  EXPECT_EQ(outcome(alone, "random", 0, 0), OutcomeKind::kLivelock) << "and without a budget";
}

TEST(Livelock, OfALockThatAnEndedThreadHolds) {
  const virtual_world::VirtualProgram leaves_it = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.lock(2);
  };
  int livelocks = 0;
  for (uint64_t i = 0; i < 20; ++i)
    livelocks += outcome(both(leaves_it, try_for_ever), "random", i) == OutcomeKind::kLivelock;
  EXPECT_GT(livelocks, 0) << "each has a chance of a half";
}

// Whoever starves may be the one to end it: main has the lowest slot, and tries for a lock that T1 would give back.
TEST(Livelock, StarvationIsNone) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    const virtual_world::VirtualProgram holds = [](virtual_world::World& v) -> virtual_world::Task {
      co_await v.lock(2);
      v.value[1] = 1;
      co_await v.event();
      co_await v.unlock(2);
    };
    const int t = co_await w.create(holds);
    while (w.value[1] == 0) co_await w.yield();
    for (int error = EBUSY; error != 0;) error = co_await w.trylock(2);
    co_await w.unlock(2);
    co_await w.join(t);
  };
  Lowest unfair;
  const virtual_world::VirtualResult starved = virtual_world::run_virtual(program, unfair, {}, kBudget);
  EXPECT_EQ(starved.outcome, OutcomeKind::kOk) << "in a fair continuation";
  EXPECT_GT(starved.steps, kBudget);
  InTurn fair;
  EXPECT_EQ(virtual_world::run_virtual(program, fair, {}, kBudget).outcome, OutcomeKind::kOk);
}

TEST(Livelock, ASleeperMayEndIt) {
  const virtual_world::VirtualProgram holds = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.lock(2);
    w.value[1] = 1;
    co_await w.sleep(kHour);
    co_await w.unlock(2);
  };
  const virtual_world::VirtualProgram tries = [](virtual_world::World& w) -> virtual_world::Task {
    while (w.value[1] == 0) co_await w.yield();
    for (int error = EBUSY; error != 0;) error = co_await w.trylock(2);
    co_await w.unlock(2);
  };
  for (const char* policy : {"random", "pct"})
    EXPECT_NE(outcome(both(holds, tries), policy), OutcomeKind::kLivelock) << policy;
}

TEST(Livelock, LongSpinsThatEndAreNone) {
  const virtual_world::VirtualProgram sets_late = [](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < 20'000; ++i) co_await w.yield();
    w.value[0] = 1;
  };
  for (const char* policy : {"random", "pct"})
    EXPECT_EQ(outcome(both(sets_late, yield_for_flag), policy), OutcomeKind::kOk) << policy;
}

TEST(Livelock, WhoeverLooksAtTheClockMayWaitForIt) {
  const virtual_world::VirtualProgram polls = [](virtual_world::World& w) -> virtual_world::Task {
    while (w.clock() < kHour) co_await w.yield();
  };
  EXPECT_EQ(outcome(both(polls, polls), "random"), OutcomeKind::kStepBudget);
}

// A finite loop of yields, longer than what looks like a livelock.
TEST(Livelock, VeryLongSpinsThatEndAreNone) {
  const virtual_world::VirtualProgram sets_late = [](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < 300'000; ++i) co_await w.yield();
    w.value[0] = 1;
  };
  for (const char* policy : {"random", "pct"})
    EXPECT_EQ(outcome(both(sets_late, yield_for_flag), policy), OutcomeKind::kOk) << policy;
}

// A scheduler that is fair to both, but not in lock step, ends it.
TEST(Livelock, BackingOffInLockStep) {
  const auto takes_both = [](int mine, int other) -> virtual_world::VirtualProgram {
    return [mine, other](virtual_world::World& w) -> virtual_world::Task {
      co_await w.lock(mine);
      ++w.value[0];
      while (w.value[0] < 2) co_await w.yield();
      for (int error = EBUSY;;) {
        error = co_await w.trylock(other);
        if (error == 0) break;
        co_await w.unlock(mine);
        co_await w.yield();
        co_await w.lock(mine);
      }
      co_await w.unlock(other);
      co_await w.unlock(mine);
    };
  };
  InTurn policy;
  const virtual_world::VirtualResult r =
      virtual_world::run_virtual(both(takes_both(2, 3), takes_both(3, 2)), policy, {}, 4 * kBudget);
  EXPECT_EQ(r.outcome, OutcomeKind::kOk);
  EXPECT_GT(r.steps, 4 * kBudget);
  EXPECT_EQ(outcome(both(takes_both(2, 3), takes_both(3, 2)), "random"), OutcomeKind::kOk);
}

// Locks are taken and given back, but all that happens is that both look for a flag: only the end of the budget tells.
TEST(Livelock, LookingForAFlagUnderALock) {
  const virtual_world::VirtualProgram looks = [](virtual_world::World& w) -> virtual_world::Task {
    for (bool set = false; !set;) {
      co_await w.lock(2);
      set = w.value[0] != 0;
      co_await w.unlock(2);
      co_await w.yield();
    }
  };
  const virtual_world::VirtualResult r =
      virtual_world::run_virtual(both(looks, looks), virtual_world::virtual_run("random", 2, 1, 0, 3, 100), kBudget);
  EXPECT_EQ(r.outcome, OutcomeKind::kLivelock);
  EXPECT_EQ(r.steps, kBudget) << "as it was when it was first seen";
}

// What was recorded is a livelock when it comes to where it was seen: no second continuation.
TEST(Livelock, IsReplayedUpToWhereItWasSeen) {
  const virtual_world::VirtualProgram program = both(yield_for_flag, yield_for_flag);
  const virtual_world::VirtualResult found =
      virtual_world::run_virtual(program, virtual_world::virtual_run("random", 2, 1, 0, 3, 100), kBudget);
  ASSERT_EQ(found.outcome, OutcomeKind::kLivelock);
  snarl::Run again = virtual_world::virtual_run("follow", 2, 1, 0, 3, 100);
  again.follow = found.decisions;
  const virtual_world::VirtualResult followed = virtual_world::run_virtual(program, again, kBudget);
  EXPECT_EQ(followed.outcome, OutcomeKind::kLivelock);
  EXPECT_EQ(followed.steps, found.steps);
}

TEST(Livelock, WorkWithLocksIsNone) {
  const virtual_world::VirtualProgram works = [](virtual_world::World& w) -> virtual_world::Task {
    for (;;) {
      co_await w.lock(2);
      ++w.value[0];
      co_await w.unlock(2);
    }
  };
  EXPECT_EQ(outcome(both(works, works), "random"), OutcomeKind::kStepBudget);
}

}  // namespace
}  // namespace snarl
