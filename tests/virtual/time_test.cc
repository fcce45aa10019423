// Timed waits and sleeps under every policy: loops of them end, replay repeats what fired, and races
// between a deadline and a signal are there to be found.
#include <gtest/gtest.h>

#include <cerrno>
#include <set>

#include "tests/virtual/every_schedule.h"

namespace snarl {
namespace {

constexpr uint64_t kMillisecond = 1'000'000, kSecond = 1000 * kMillisecond, kHour = 3600 * kSecond;

struct TimedProgram {
  const char* name;
  virtual_world::VirtualProgram body;
};

// Mutex 0, condition variable 1; value[0] is the flag, never signalled.
virtual_world::Task poll_by_waiting(virtual_world::World& w) {
  co_await w.lock(0);
  while (w.value[0] == 0) co_await w.wait_for(1, 0, kMillisecond);
  co_await w.unlock(0);
}
virtual_world::Task poll_by_sleeping(virtual_world::World& w) {
  while (w.value[0] == 0) co_await w.sleep(10'000);
}
virtual_world::Task poll_by_yielding(virtual_world::World& w) {
  while (w.value[0] == 0) co_await w.yield();
}
virtual_world::Task poll_politely(virtual_world::World& w) {
  for (bool set = false; !set;) {
    co_await w.lock(0);
    set = w.value[0] != 0;
    co_await w.unlock(0);
    co_await w.yield();
  }
}
virtual_world::Task poll_the_clock(virtual_world::World& w) {
  const uint64_t end = w.clock() + 20'000;
  while (w.clock() < end) co_await w.yield();
}
virtual_world::Task poll_a_lock(virtual_world::World& w) {
  for (int error = ETIMEDOUT; error != 0;) error = co_await w.lock_for(2, kMillisecond);
  co_await w.unlock(2);
}
// Holds mutex 2 the while.
virtual_world::VirtualProgram set_after(uint64_t span) {
  return [span](virtual_world::World& w) -> virtual_world::Task {
    co_await w.lock(2);
    if (span > 0) co_await w.sleep(span);
    co_await w.lock(0);
    w.value[0] = 1;
    co_await w.unlock(0);
    co_await w.unlock(2);
  };
}
// The same after a wait that nobody ends: condition variable 3.
virtual_world::VirtualProgram set_after_waiting(uint64_t span) {
  return [span](virtual_world::World& w) -> virtual_world::Task {
    co_await w.lock(0);
    co_await w.wait_for(3, 0, span);
    w.value[0] = 1;
    co_await w.unlock(0);
  };
}
virtual_world::VirtualProgram all_of(std::vector<virtual_world::VirtualProgram> bodies) {
  return [bodies](virtual_world::World& w) -> virtual_world::Task {
    std::vector<int> threads;
    for (const virtual_world::VirtualProgram& body : bodies) threads.push_back(co_await w.create(body));
    for (int t : threads) co_await w.join(t);
  };
}

std::vector<TimedProgram> programs() {
  std::vector<TimedProgram> list = {
      {"one poller", all_of({poll_by_waiting, set_after(0)})},
      {"three pollers", all_of({poll_by_waiting, poll_by_waiting, poll_by_waiting, set_after(0)})},
      {"pollers and a sleeper", all_of({poll_by_waiting, poll_by_waiting, set_after(20 * kMillisecond)})},
      {"sleep loops", all_of({poll_by_sleeping, poll_by_sleeping, set_after(kMillisecond)})},
      {"a poller and a sleep loop", all_of({poll_by_waiting, poll_by_sleeping, set_after(kMillisecond)})},
      {"yields for a sleeper", all_of({poll_by_yielding, set_after(kHour)})},
      {"two who yield for a sleeper", all_of({poll_by_yielding, poll_politely, set_after(kHour)})},
      {"yields for a poller", all_of({poll_by_yielding, poll_by_waiting, set_after(kMillisecond)})},
      {"reads the clock", all_of({poll_the_clock, poll_by_waiting, set_after(kMillisecond)})},
      {"yields for one that waits long", all_of({poll_by_yielding, set_after_waiting(kHour)})},
      {"two who yield for one that waits long",
       all_of({poll_by_yielding, poll_politely, set_after_waiting(30 * kSecond)})},
      {"polls a lock", all_of({poll_a_lock, poll_a_lock, set_after(50 * kMillisecond)})},
      {"everything at once", all_of({poll_by_waiting, poll_by_sleeping, poll_politely, poll_a_lock, poll_the_clock,
                                     set_after(5 * kMillisecond)})},
  };
  return list;
}

void expect_end(const TimedProgram& program, snarl::Run run, uint64_t runs, model::Sleeps sleeps) {
  for (run.key.index = 0; run.key.index < runs; ++run.key.index) {
    run.key.turn = run.key.index;
    const virtual_world::VirtualResult r = virtual_world::run_virtual(program.body, run, 50'000, sleeps);
    ASSERT_EQ(r.outcome, OutcomeKind::kOk)
        << program.name << ", " << policy::info_of(run.key.policy).name << ", first value " << run.key.policy.values[0]
        << ", index " << run.key.index << (sleeps == model::Sleeps::kFree ? ", free" : "");
  }
}

TEST(TimedPrograms, EndUnderEveryPolicy) {
  for (const TimedProgram& program : programs())
    for (model::Sleeps sleeps : {model::Sleeps::kLast, model::Sleeps::kFree}) {
      for (const policy::PolicyInfo& policy : policy::policy_catalog())
        if (policy.for_users) expect_end(program, virtual_world::trial_run(policy, 1, 0, 4, 60), 60, sleeps);
      for (int depth = 1; depth <= 4; ++depth)
        expect_end(program, virtual_world::virtual_run("pct", depth, 1, 0, 4, 60), 300, sleeps);
      expect_end(program, virtual_world::virtual_run("follow", 0, 1, 0, 4, 60), 1, sleeps);  // an empty recording
    }
}

TEST(TimedPrograms, AreReplayedWithWhatFired) {
  uint64_t fired = 0;
  for (const TimedProgram& program : programs())
    for (model::Sleeps sleeps : {model::Sleeps::kLast, model::Sleeps::kFree})
      for (uint64_t i = 0; i < 300; ++i) {
        const virtual_world::VirtualResult recorded = virtual_world::run_virtual(
            program.body, virtual_world::virtual_run(i % 2 ? "random" : "pct", 3, 5, i, 4, 60), 50'000, sleeps);
        ASSERT_EQ(recorded.decisions.size(), recorded.switches) << "the log was too small for this test";
        auto follow = virtual_world::virtual_run("follow", 0, 0, 0, 2, 1);
        follow.follow = recorded.decisions;
        const virtual_world::VirtualResult replayed = virtual_world::run_virtual(program.body, follow, 50'000, sleeps);
        ASSERT_EQ(replayed.outcome, recorded.outcome) << program.name << " " << i;
        ASSERT_EQ(replayed.hash, recorded.hash) << program.name << " " << i;
        ASSERT_EQ(replayed.steps, recorded.steps);
        ASSERT_EQ(replayed.timeouts, recorded.timeouts);
        ASSERT_EQ(replayed.time, recorded.time);
        fired += recorded.timeouts;
      }
  EXPECT_GT(fired, 1000u);
}

// A deadline against a signal: both can come first, and the mutex is held after either.
std::set<int> ends_of_a_wait(uint64_t span) {
  const virtual_world::VirtualProgram program = [span](virtual_world::World& w) -> virtual_world::Task {
    const int a = co_await w.create([](virtual_world::World& v) -> virtual_world::Task {
      co_await v.lock(0);
      v.value[0] = 1;
      co_await v.signal(1);
      co_await v.unlock(0);
    });
    co_await w.lock(0);
    int result = 0;
    if (w.value[0] == 0) result = co_await w.wait_for(1, 0, span);
    w.expect(co_await w.trylock(0) == EBUSY, "the mutex is not held");
    w.note(result == 0 ? 0 : w.value[0] == 0 ? 1 : 2);
    co_await w.unlock(0);
    co_await w.join(a);
  };
  std::set<int> seen;
  for_every_schedule(program, false, [&](const virtual_world::VirtualResult& r) {
    ASSERT_EQ(r.outcome, OutcomeKind::kOk) << r.message;
    EXPECT_EQ(r.chosen_deadlines != 0, r.trace[0] != 0);
    seen.insert(r.trace.begin(), r.trace.end());
  });
  return seen;
}

TEST(TimedWaits, RaceWithTheSignal) {
  EXPECT_EQ(ends_of_a_wait(kMillisecond), (std::set<int>{0, 1, 2}))
      << "in time; late, and nothing has happened; late, but it has happened";
  EXPECT_EQ(ends_of_a_wait(kSecond), (std::set<int>{0, 1, 2}));
  EXPECT_EQ(ends_of_a_wait(kHour), (std::set<int>{0})) << "nobody is kept from running for an hour";
}

// One step of the other thread is all there is between right and wrong.
TEST(TimedWaits, ATimeOutMayComeBeforeAnybodyElsesNextStep) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.lock(0);
    const int a = co_await w.create([](virtual_world::World& v) -> virtual_world::Task {
      v.value[0] = 1;
      co_return;
    });
    co_await w.wait_for(1, 0, kMillisecond);
    w.note(w.value[0]);
    co_await w.join(a);
  };
  std::set<int> seen;
  for_every_schedule(program, false,
                     [&](const virtual_world::VirtualResult& r) { seen.insert(r.trace.begin(), r.trace.end()); });
  EXPECT_EQ(seen, (std::set<int>{0, 1}));
}

TEST(TimedWaits, WhatIsFreeIsHad) {
  const auto lock_own = [](int m) {
    return [m](virtual_world::World& w) -> virtual_world::Task {
      for (int i = 0; i < 2; ++i) {
        w.expect(co_await w.lock_for(m, 0) == 0, "nobody else wants this lock");
        co_await w.unlock(m);
      }
    };
  };
  for_every_schedule(all_of({lock_own(1), lock_own(2)}), true, [](const virtual_world::VirtualResult& r) {
    ASSERT_EQ(r.outcome, OutcomeKind::kOk) << r.message;
  });
}

// Threads that are ordered by sleeping keep that order, unless sleeps are free.
TEST(Sleeps, OrderThreads) {
  const auto sleeper = [](int id, uint64_t span) {
    return [=](virtual_world::World& w) -> virtual_world::Task {
      co_await w.sleep(span);
      co_await w.yield();
      w.note(id);
      co_await w.event();
    };
  };
  const virtual_world::VirtualProgram program = all_of({sleeper(3, 30), sleeper(1, 10), sleeper(2, 20)});
  for_every_schedule(program, true, [](const virtual_world::VirtualResult& r) {
    ASSERT_EQ(r.trace, (std::vector<int>{1, 2, 3}));
  });
  std::set<std::vector<int>> free;
  for (uint64_t i = 0; i < 300; ++i)
    free.insert(virtual_world::run_virtual(program, virtual_world::virtual_run("random", 0, 1, i, 4, 30), 10'000,
                                           model::Sleeps::kFree)
                    .trace);
  EXPECT_GT(free.size(), 1u);
}

TEST(Sleeps, TakeVirtualTimeOnly) {
  const virtual_world::VirtualResult r = virtual_world::run_virtual(
      [](virtual_world::World& w) -> virtual_world::Task {
        const uint64_t begin = w.clock();
        co_await w.sleep(24 * kHour);
        w.expect(w.clock() - begin >= 24 * kHour, "too short");
      },
      virtual_world::virtual_run("random", 0, 1, 1, 2, 10));
  EXPECT_EQ(r.outcome, OutcomeKind::kOk) << r.message;
  EXPECT_LT(r.time, 24 * kHour + kMillisecond);
}

}  // namespace
}  // namespace snarl
