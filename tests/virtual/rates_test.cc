// The bound that is printed for pct and ppct, on serial runs of programs in which much goes on that tempts a scheduler
// to leave its plan: yields, sleeps, timed waits, and fairness itself. Their bugs need no time-out.
//
// What a run is worth is computed here, from the theorem: (1-f)^k / (n k^(d-1)), three quarters of it where there are
// deadlines. Exact binomial tests; a right pct fails one by luck with less than 1e-9.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "base/test_statistics.h"
#include "policy/pct.h"
#include "policy/ppct.h"
#include "schedule/bound.h"
#include "virtual/world.h"

namespace snarl {
namespace {

constexpr uint64_t kRuns = 100'000;
constexpr uint64_t kInTime = 300'000'000, kShort = 1'000'000;  // ns

struct Subject {
  const char* name;
  virtual_world::VirtualProgram body;
  int depth;
  uint32_t n;
  Step k;
  bool deadlines = false;
  double fairness = 0;
};

// Depth 1: A comes after all that B does. Only if A is the lowest of three.
virtual_world::VirtualProgram last_of_three(virtual_world::VirtualProgram b) {
  const virtual_world::VirtualProgram a = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.yield();
    w.expect(w.value[1] == 0, "A came last");
  };
  return [a, b](virtual_world::World& w) -> virtual_world::Task {
    co_await w.create(a);
    co_await w.create(b);
    co_await w.signal(0);
  };
}

Subject yields() {
  const virtual_world::VirtualProgram b = [](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < 20; ++i) {
      co_await w.lock(1);
      co_await w.unlock(1);
      co_await w.yield();
    }
    w.value[1] = 1;
  };
  return {"yields", last_of_three(b), 1, 3, 6 + 3 + 82};
}

// Depth 2: main's yield comes when W has taken exactly 7 of its 16.
Subject yields_between() {
  const virtual_world::VirtualProgram w16 = [](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < 16; ++i) co_await w.yield(), ++w.value[0];
  };
  return {"yields, depth 2",
          [w16](virtual_world::World& w) -> virtual_world::Task {
            co_await w.create(w16);
            co_await w.yield();
            w.expect(w.value[0] != 7, "main saw W at 7");
          },
          2, 2, 3 + 18 - 1};
}

Subject sleeps() {
  const virtual_world::VirtualProgram b = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.yield();
    w.value[1] = 1;
    for (int i = 0; i < 3; ++i) co_await w.sleep(kShort);
  };
  return {"sleeps", last_of_three(b), 1, 3, 6 + 3 + 6, true};
}

// B waits for main's signal; if it runs out of time, it does nothing.
Subject timed_wait() {
  const virtual_world::VirtualProgram b = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.lock(1);
    int error = 0;
    while (w.value[2] == 0 && error == 0) error = co_await w.wait_for(0, 1, kInTime);
    if (error == 0) w.value[1] = 1;
    co_await w.unlock(1);
  };
  const virtual_world::VirtualProgram a = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.event();
    w.expect(w.value[1] == 0, "A came last");
  };
  const virtual_world::VirtualProgram body = [a, b](virtual_world::World& w) -> virtual_world::Task {
    co_await w.create(a);
    co_await w.create(b);
    co_await w.lock(1);
    w.value[2] = 1;
    co_await w.signal(0);
    co_await w.unlock(1);
  };
  return {"timed wait", body, 1, 3, 40, true};
}

Subject with_fairness() {
  Subject subject = yields_between();
  subject.name = "fairness";
  subject.fairness = 0.01;
  return subject;
}

double worth(const Subject& s) {
  const double k = static_cast<double>(s.k);
  return (s.deadlines ? 0.75 : 1) * std::pow(1 - s.fairness, k) / (s.n * std::pow(k, s.depth - 1));
}

uint64_t hits(const Subject& s, policy::Policy& policy) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < kRuns; ++i) {
    Run run = virtual_world::virtual_run("pct", s.depth, 1, i, s.n, s.k);
    run.settings.fairness = s.fairness;
    count += virtual_world::run_virtual(s.body, policy, run).outcome == OutcomeKind::kAssert;
  }
  return count;
}

void expect_rate(const Subject& s) {
  EXPECT_DOUBLE_EQ(hit_chance({s.n, s.k, s.fairness}, s.depth, s.deadlines ? 1.0 / policy::kEarlyTimers : 0), worth(s));
  policy::Pct pct;
  policy::Ppct ppct;
  for (policy::Policy* policy : {static_cast<policy::Policy*>(&pct), static_cast<policy::Policy*>(&ppct)}) {
    const uint64_t count = hits(s, *policy);
    const double rate = static_cast<double>(count) / static_cast<double>(kRuns);
    std::printf("%-4s %-16s bound %.5f, measured %.5f: %.2f times\n", policy == &pct ? "pct" : "ppct", s.name, worth(s),
                rate, rate / worth(s));
    EXPECT_TRUE(is_rate_within(count, kRuns, worth(s), 3 * worth(s))) << s.name << ": " << count;
  }
}

TEST(Rates, Yields) { expect_rate(yields()); }
TEST(Rates, YieldsAtDepth2) { expect_rate(yields_between()); }
TEST(Rates, Sleeps) { expect_rate(sleeps()); }
TEST(Rates, TimedWaits) { expect_rate(timed_wait()); }
TEST(Rates, Fairness) { expect_rate(with_fairness()); }

// Deadlines come early in one of four runs: a wait that runs out of time though main is about to signal is found, too.
TEST(Rates, EarlyDeadlinesAreStillFound) {
  const virtual_world::VirtualProgram body = [](virtual_world::World& w) -> virtual_world::Task {
    const virtual_world::VirtualProgram waits = [](virtual_world::World& v) -> virtual_world::Task {
      co_await v.lock(1);
      if (v.value[2] == 0) v.expect(co_await v.wait_for(0, 1, kInTime) == 0, "out of time");
      co_await v.unlock(1);
    };
    co_await w.create(waits);
    co_await w.event();
    co_await w.lock(1);
    w.value[2] = 1;
    co_await w.signal(0);
    co_await w.unlock(1);
  };
  policy::Pct pct;
  uint64_t count = 0;
  constexpr uint64_t kFew = 20'000;
  for (uint64_t i = 0; i < kFew; ++i)
    count += virtual_world::run_virtual(body, pct, virtual_world::virtual_run("pct", 1, 1, i, 2, 20)).outcome ==
             OutcomeKind::kAssert;
  EXPECT_TRUE(is_rate_within(count, kFew, 0.25 / 6, 0.25)) << count << ": the waiter above main, and its timer too";
}

}  // namespace
}  // namespace snarl
