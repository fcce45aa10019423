// The directed scheduler on the three programs of figure 3 (depth 1, 2 and 2): every run that obeys fails, and no
// smaller directive is enough.
#include "policy/obey.h"

#include <gtest/gtest.h>

#include "virtual/world.h"

namespace snarl {
namespace {

const uint64_t kT1 = name_of_child(kMainName, 0), kT2 = name_of_child(kMainName, 1);

// A point with id `id` in a virtual program has this place.
DirectedEvent at(uint64_t thread, int id, uint64_t nth = 1) { return {thread, static_cast<uint64_t>(id) + 1, nth}; }

Constraint before(std::vector<DirectedEvent> sources, DirectedEvent target) {
  Constraint constraint;
  constraint.target = target;
  for (const DirectedEvent& source : sources) constraint.sources[constraint.source_count++] = source;
  return constraint;
}

struct Tally {
  uint64_t failed = 0, passed = 0;
  uint64_t how[4] = {};
  uint64_t of(Obedience o) const { return how[static_cast<size_t>(o)]; }
};

Tally obey(const virtual_world::VirtualProgram& program, const std::vector<Constraint>& directive,
           uint64_t runs = 500) {
  Tally tally;
  for (uint64_t i = 0; i < runs; ++i) {
    Obedience how = Obedience::kOpen;
    snarl::Run run = virtual_world::virtual_run("obey", 0, 1, i, 3, 30);
    run.directive = directive;
    run.obedience = &how;
    const OutcomeKind outcome = virtual_world::run_virtual(program, run, 10'000).outcome;
    ++(is_failure(outcome) ? tally.failed : tally.passed);
    ++tally.how[static_cast<size_t>(how)];
  }
  return tally;
}

virtual_world::VirtualProgram two(virtual_world::VirtualProgram a, virtual_world::VirtualProgram b) {
  return [=](virtual_world::World& w) -> virtual_world::Task {
    const int t1 = co_await w.create(a);
    const int t2 = co_await w.create(b);
    co_await w.join(t1);
    co_await w.join(t2);
  };
}

enum Point { kInit = 10, kTest, kAssign, kCall, kA, kB, kOther };

// (A) thread 2 tests before thread 1 initialises.
virtual_world::VirtualProgram ordering() {
  return two(
      [](virtual_world::World& w) -> virtual_world::Task {
        co_await w.event(kOther);
        co_await w.event(kInit);
        w.value[0] = 1;
        co_await w.event(kOther);
      },
      [](virtual_world::World& w) -> virtual_world::Task {
        co_await w.event(kOther);
        co_await w.event(kTest);
        w.value[1] = w.value[0];
        co_await w.event(kOther);
        w.expect(w.value[1] == 1, "tested before it was initialised");
      });
}

// (B) thread 2 tests, thread 1 assigns, thread 2 calls.
virtual_world::VirtualProgram atomicity() {
  return two(
      [](virtual_world::World& w) -> virtual_world::Task {
        co_await w.event(kOther);
        co_await w.event(kAssign);
        w.value[0] = 1;
      },
      [](virtual_world::World& w) -> virtual_world::Task {
        co_await w.event(kTest);
        if (w.value[0] != 0) co_return;
        co_await w.event(kCall);
        w.expect(w.value[0] == 0, "called after it was assigned");
      });
}

// (C) lock inversion.
virtual_world::VirtualProgram inversion() {
  const auto both = [](int first, int second) {
    return [=](virtual_world::World& w) -> virtual_world::Task {
      co_await w.event(kOther);
      co_await w.lock(first);
      co_await w.lock(second);
      co_await w.unlock(second);
      co_await w.unlock(first);
    };
  };
  return two(both(kA, kB), both(kB, kA));
}

void expect_guaranteed(const Tally& tally) {
  EXPECT_EQ(tally.passed, 0u);
  EXPECT_EQ(tally.of(Obedience::kViolated), 0u);
  EXPECT_EQ(tally.of(Obedience::kDeadEnd), 0u);
}

TEST(Obey, OrderingHasDepthOne) {
  expect_guaranteed(obey(ordering(), {before({at(kT2, kTest)}, at(kT1, kInit))}));
  EXPECT_GT(obey(ordering(), {}).passed, 50u) << "no directive is not enough";
}

// Thread 2 tests before its first event.
TEST(Obey, AStartIsAnEvent) {
  const virtual_world::VirtualProgram program = two(
      [](virtual_world::World& w) -> virtual_world::Task {
        co_await w.event(kInit);
        w.value[0] = 1;
      },
      [](virtual_world::World& w) -> virtual_world::Task {
        w.value[1] = w.value[0];
        co_await w.event(kTest);
        w.expect(w.value[1] == 1, "tested before it was initialised");
      });
  const DirectedEvent start{kT2, kStartPlace, 1};
  expect_guaranteed(obey(program, {before({start}, at(kT1, kInit))}));
  EXPECT_EQ(obey(program, {before({at(kT1, kInit)}, start)}).failed, 0u) << "a start is held back, too";
}

TEST(Obey, AtomicityHasDepthTwo) {
  const Constraint first = before({at(kT2, kTest)}, at(kT1, kAssign));
  const Constraint second = before({at(kT1, kAssign)}, at(kT2, kCall));
  const Tally both = obey(atomicity(), {first, second});
  expect_guaranteed(both);
  EXPECT_EQ(both.of(Obedience::kSatisfied), 500u);
  EXPECT_GT(obey(atomicity(), {first}).passed, 20u);
  EXPECT_GT(obey(atomicity(), {second}).passed, 20u);
}

TEST(Obey, InversionHasDepthTwo) {
  const Constraint first = before({at(kT1, kA)}, at(kT2, kA));
  const Constraint second = before({at(kT2, kB)}, at(kT1, kB));
  const Tally both = obey(inversion(), {first, second});
  expect_guaranteed(both);
  EXPECT_EQ(both.of(Obedience::kSatisfied), 500u) << "the last locks are never performed, and yet have happened";
  EXPECT_GT(obey(inversion(), {first}).passed, 20u);
  EXPECT_GT(obey(inversion(), {second}).passed, 20u);
}

// Two constraints that wait for each other: somebody must be let go on.
TEST(Obey, SaysThatItIsADeadEnd) {
  const Tally tally =
      obey(ordering(), {before({at(kT2, kTest)}, at(kT1, kInit)), before({at(kT1, kInit)}, at(kT2, kTest))});
  EXPECT_EQ(tally.of(Obedience::kDeadEnd), 500u);
  EXPECT_GT(tally.passed + tally.failed, 0u);
}

// Main goes past its target while it is alone, when nothing is decided.
TEST(Obey, SaysThatItWasViolated) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.event(kInit);
    const virtual_world::VirtualProgram body = [](virtual_world::World& v) -> virtual_world::Task {
      co_await v.event(kTest);
    };
    co_await w.create(body);
  };
  EXPECT_EQ(obey(program, {before({at(kT1, kTest)}, at(kMainName, kInit))}).of(Obedience::kViolated), 500u);
}

// Targets in order, without sources; and the second arrival at a place, not the first.
TEST(Obey, TargetsComeInTheirOrderAndOccurrencesCount) {
  const virtual_world::VirtualProgram program = two(
      [](virtual_world::World& w) -> virtual_world::Task {
        for (int i = 0; i < 3; ++i) co_await w.event(kInit), w.note(1);
      },
      [](virtual_world::World& w) -> virtual_world::Task {
        for (int i = 0; i < 3; ++i) co_await w.event(kTest), w.note(2);
      });
  const std::vector<Constraint> directive = {before({}, at(kT2, kTest, 3)), before({}, at(kT1, kInit, 2))};
  for (uint64_t i = 0; i < 200; ++i) {
    snarl::Run run = virtual_world::virtual_run("obey", 0, 1, i, 3, 30);
    run.directive = directive;
    const virtual_world::VirtualResult r = virtual_world::run_virtual(program, run);
    std::vector<int> until_third;
    for (int id : r.trace) {
      until_third.push_back(id);
      if (std::count(until_third.begin(), until_third.end(), 2) == 3) break;
    }
    EXPECT_LE(std::count(until_third.begin(), until_third.end(), 1), 1) << i;
  }
}

// An unknown thread, a place that nobody comes to: the run is random, and says that the directive is open.
TEST(Obey, WhatNeverComesIsOpen) {
  const Tally tally = obey(ordering(), {before({}, at(12345, kInit)), before({at(kT1, 63)}, at(kT2, 62))});
  EXPECT_EQ(tally.of(Obedience::kOpen), 500u);
  EXPECT_GT(tally.failed, 20u);
  EXPECT_GT(tally.passed, 20u);
}

}  // namespace
}  // namespace snarl
