// What a speed vector does to schedules: ratios of events, and the bugs that the paper says it preserves (section 3.3).
// Virtual threads; what is expected comes from the paper's inequalities, not from the policy.
#include "policy/speed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "policy/catalog.h"
#include "virtual/world.h"

namespace snarl {
namespace {

using virtual_world::Task;
using virtual_world::VirtualProgram;
using virtual_world::VirtualResult;
using virtual_world::World;

snarl::Run run_of(const std::string& vector, uint64_t seed = 1, uint64_t index = 0, uint32_t n = 3) {
  const policy::PolicyInfo& info = policy::policy_catalog()[static_cast<size_t>(policy::policy_named("speed"))];
  snarl::Run run = virtual_world::trial_run(info, seed, index, n, 1000);
  if (vector.empty()) return run;
  run.key.policy.given = static_cast<uint32_t>(policy::SpeedText::kVector);
  vector.copy(run.key.policy.file, vector.size());
  return run;
}

VirtualProgram noter(int id, int events) {
  return [=](World& w) -> Task {
    for (int i = 0; i < events; ++i) {
      co_await w.event();
      w.note(id);
    }
  };
}

VirtualProgram noters(std::vector<int> events) {
  return [=](World& w) -> Task {
    std::vector<int> threads;
    for (size_t i = 0; i < events.size(); ++i) {
      const VirtualProgram body = noter(static_cast<int>(i) + 1, events[i]);
      threads.push_back(co_await w.create(body));
    }
    for (int t : threads) co_await w.join(t);
  };
}

// How many of the first `length` notes are `id`.
int count(const std::vector<int>& trace, int id, int length) {
  return static_cast<int>(std::count(trace.begin(), trace.begin() + length, id));
}

// At no time is a thread further than two events (one of its own, and its later start) from its share.
TEST(SpeedSchedule, EventsTendToTheRatioOfSpeeds) {
  const double speeds[] = {1, 0.37, 0.05};
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const VirtualResult r = run_virtual(noters({4000, 4000, 4000}), run_of("1,1,0.37,0.05", seed));
    for (int length = 100; length < 5000; length += 100)
      for (int t = 0; t < 3; ++t)
        ASSERT_NEAR(count(r.trace, t + 1, length), length * speeds[t] / 1.42, 3.5) << "thread " << t + 1;
  }
}

// Equal speeds are the operating system's fair schedule.
TEST(SpeedSchedule, EqualSpeedsAreTheFairSchedule) {
  std::vector<std::vector<int>> seen;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const VirtualResult r = run_virtual(noters({300, 300, 300}), run_of("1,1,1,1", seed));
    for (int length = 30; length < 800; ++length) {
      int least = length, most = 0;
      for (int t = 1; t <= 3; ++t) {
        least = std::min(least, count(r.trace, t, length));
        most = std::max(most, count(r.trace, t, length));
      }
      ASSERT_LE(most - least, 6) << "a thread begins at most four steps later than the first";
    }
    seen.push_back(r.trace);
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_GT(std::unique(seen.begin(), seen.end()) - seen.begin(), 10) << "ties are drawn";
}

// A thread that waits for a lock neither saves up events nor owes any.
TEST(SpeedSchedule, ABlockedThreadOwesAndOwnsNothing) {
  for (const char* vector : {"1,0.5,1,0.25", "1,0.125,1,1"}) {
    const double first = vector[2] == '0' && vector[4] == '5' ? 0.5 : 0.125;
    const double third = vector[8] == '0' ? 0.25 : 1;
    const VirtualProgram program = [](World& w) -> Task {
      const VirtualProgram holder = [](World& v) -> Task {
        co_await v.lock(0);
        for (int i = 0; i < 400; ++i) co_await v.event();
        co_await v.unlock(0);
        for (int i = 0; i < 3000; ++i) {
          co_await v.event();
          if (v.value[1] != 0) v.note(1);
        }
      };
      const VirtualProgram waiter = [](World& v) -> Task {
        for (int i = 0; i < 20; ++i) co_await v.event();
        co_await v.lock(0);
        v.value[1] = 1;
        co_await v.unlock(0);
        for (int i = 0; i < 3000; ++i) {
          co_await v.event();
          v.note(2);
        }
      };
      const VirtualProgram third_body = [](World& v) -> Task {
        for (int i = 0; i < 20000; ++i) {
          co_await v.event();
          if (v.value[1] != 0) v.note(3);
        }
      };
      std::vector<int> threads;
      threads.push_back(co_await w.create(holder));
      threads.push_back(co_await w.create(waiter));
      threads.push_back(co_await w.create(third_body));
      for (int t : threads) co_await w.join(t);
    };
    const VirtualResult r = run_virtual(program, run_of(vector));
    const double all = first + 1 + third;
    for (int length = 50; length < 1500; length += 50) {
      EXPECT_NEAR(count(r.trace, 1, length), length * first / all, 4) << vector;
      EXPECT_NEAR(count(r.trace, 2, length), length / all, 4) << vector;
      EXPECT_NEAR(count(r.trace, 3, length), length * third / all, 4) << vector;
    }
  }
}

// The others would be thousands of events ahead of a thread that begins late with what they have done so far.
TEST(SpeedSchedule, AThreadCreatedLaterBeginsWhereTheOthersAre) {
  const VirtualProgram program = [](World& w) -> Task {
    const VirtualProgram old = noter(1, 4000), late = noter(2, 1000);
    const int first = co_await w.create(old);
    for (int i = 0; i < 2000; ++i) co_await w.event();
    w.note(0);
    const int second = co_await w.create(late);
    co_await w.join(first);
    co_await w.join(second);
  };
  const VirtualResult r = run_virtual(program, run_of("1,1,0.5"));
  const auto created = std::find(r.trace.begin(), r.trace.end(), 0);
  ASSERT_NE(created, r.trace.end());
  const std::vector<int> after(created, r.trace.end());
  for (int length = 30; length < 1200; length += 30) EXPECT_NEAR(count(after, 2, length), length / 3., 3);
}

TEST(SpeedSchedule, AYieldIsAnOrdinaryStep) {
  const VirtualProgram program = [](World& w) -> Task {
    const VirtualProgram yields = [](World& v) -> Task {
      for (int i = 0; i < 300; ++i) {
        co_await v.yield();
        v.note(1);
      }
    };
    const VirtualProgram other = noter(2, 900);
    const int a = co_await w.create(yields), b = co_await w.create(other);
    co_await w.join(a);
    co_await w.join(b);
  };
  const VirtualResult r = run_virtual(program, run_of("1,1,0.25"));
  EXPECT_EQ(r.passed_over, 0u);
  for (int length = 40; length < 360; length += 40) EXPECT_NEAR(count(r.trace, 1, length), length * 0.8, 3);
}

// Only the order of two events of two threads matters: it turns where the faster thread becomes the other one.
TEST(SpeedPreserves, OrderViolations) {
  const VirtualProgram program = [](World& w) -> Task {
    const VirtualProgram uses = [](World& v) -> Task {
      for (int i = 0; i < 30; ++i) co_await v.event();
      v.expect(v.value[0] != 0, "used before it was made");
    };
    const int t = co_await w.create(uses);
    for (int i = 0; i < 30; ++i) co_await w.event();
    w.value[0] = 1;
    co_await w.join(t);
  };
  EXPECT_EQ(run_virtual(program, run_of("1,0.5")).outcome, OutcomeKind::kOk);
  EXPECT_EQ(run_virtual(program, run_of("0.5,1")).outcome, OutcomeKind::kAssert);
}

// Main has events a and b, another thread c, after so many events each.
VirtualProgram atomicity(int before_a, int before_b, int before_c) {
  return [=](World& w) -> Task {
    const VirtualProgram other = [=](World& v) -> Task {
      for (int i = 0; i < before_c; ++i) co_await v.event();
      v.value[0] = 1;
      for (int i = 0; i < 3000; ++i) co_await v.event();
    };
    const int t = co_await w.create(other);
    for (int i = 0; i < before_a; ++i) co_await w.event();
    const int seen = w.value[0];
    for (int i = before_a; i < before_b; ++i) co_await w.event();
    w.expect(seen == w.value[0], "not atomic");
    co_await w.join(t);
  };
}

// |a|/|c| < s_i/s_j < |b|/|c|. The threads don't begin at the same moment, so ratios nearer than an eighth to a bound
// are left out.
TEST(SpeedPreserves, AtomicityViolationsBetweenTheBoundsOfThePaper) {
  int shown = 0, hidden = 0;
  for (int a : {60, 120, 400})
    for (int b : {150, 300, 900})
      for (int c : {60, 200, 600})
        for (double ratio : {0.1, 0.3, 0.5, 0.8, 1., 1.6, 2.5, 4., 8.}) {
          if (b <= a) continue;
          const double low = static_cast<double>(a) / c, high = static_cast<double>(b) / c;
          if (std::abs(ratio / low - 1) < 0.125 || std::abs(ratio / high - 1) < 0.125) continue;
          const std::string vector = ratio >= 1 ? "1," + std::to_string(1 / ratio) : std::to_string(ratio) + ",1";
          const bool violated = run_virtual(atomicity(a, b, c), run_of(vector)).outcome == OutcomeKind::kAssert;
          const bool expected = low < ratio && ratio < high;
          EXPECT_EQ(violated, expected) << a << " " << b << " " << c << " at " << ratio;
          ++(expected ? shown : hidden);
        }
  EXPECT_GT(shown, 30);
  EXPECT_GT(hidden, 60);
}

// Figure 3: threads 0 and 1 make A-B-A, and each other thread has an event that must come before A. `near`: where in
// the run they are, from 0 to 1.
VirtualProgram figure3(int threads, double where) {
  return [=](World& w) -> Task {
    const int length = 200;
    const int at_a = 20 + static_cast<int>(where * 60), at_b = at_a + 40;
    const VirtualProgram breaks = [=](World& v) -> Task {
      for (int i = 0; i < at_a / 2; ++i) co_await v.event();
      v.value[0] = 1;
      for (int i = 0; i < length; ++i) co_await v.event();
    };
    std::vector<int> ids;
    ids.push_back(co_await w.create(breaks));
    for (int t = 2; t < threads; ++t) {
      const VirtualProgram orders = [=](World& v) -> Task {  // natively, all come after A
        for (int i = 0; i < at_a * (3 + t) / 4; ++i) co_await v.event();
        v.value[static_cast<size_t>(t)] = 1;
        for (int i = 0; i < length; ++i) co_await v.event();
      };
      ids.push_back(co_await w.create(orders));
    }
    for (int i = 0; i < at_a; ++i) co_await w.event();
    const int seen = w.value[0];
    bool ordered = true;
    for (int t = 2; t < threads; ++t) ordered = ordered && w.value[static_cast<size_t>(t)] != 0;
    for (int i = at_a; i < at_b; ++i) co_await w.event();
    w.expect(!ordered || seen != 0 || w.value[0] == 0, "A-B-A");
    for (int id : ids) co_await w.join(id);
  };
}

TEST(SpeedPreserves, FigureThreeAtEveryDepth) {
  for (int n : {3, 4, 5})
    for (double where : {0., 0.5, 1.}) {
      const VirtualProgram program = figure3(n, where);
      EXPECT_EQ(run_virtual(program, run_of("1,1,1,1,1")).outcome, OutcomeKind::kOk) << "the fair schedule hides it";
      int found = 0;
      for (uint64_t i = 0; i < 1042; ++i)
        found += run_virtual(program, run_of("", 1, i, static_cast<uint32_t>(n))).outcome == OutcomeKind::kAssert;
      EXPECT_GT(found, 0) << n << " threads, " << where;
      RecordProperty("found_" + std::to_string(n), found);
    }
}

// Thread priorities as speeds of which each is far below the one before, and a change point as a change of the vector:
// everything that pct shows of a program, vectors show.
TEST(SpeedVectors, ExpressThePctSchedules) {
  const VirtualProgram program = noters({4, 4});
  std::vector<std::vector<int>> by_pct, by_speed;
  for (uint64_t i = 0; i < 4000; ++i)
    by_pct.push_back(run_virtual(program, virtual_world::virtual_run("pct", 2, 1, i, 3, 20)).trace);
  const auto in_order = [](std::vector<std::vector<int>>& traces) {
    std::sort(traces.begin(), traces.end());
    traces.erase(std::unique(traces.begin(), traces.end()), traces.end());
  };
  in_order(by_pct);
  const std::string speeds[] = {"1", "0.00001", "0.0000000001"};
  std::vector<std::vector<int>> orders;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 3; ++c)
        if (a != b && b != c && a != c) orders.push_back({a, b, c});
  const auto text = [&](const std::vector<int>& order) {
    std::string result;
    for (int rank : order) result += (result.empty() ? "" : ",") + speeds[static_cast<size_t>(rank)];
    return result;
  };
  for (const std::vector<int>& before : orders)
    for (const std::vector<int>& after : orders)
      for (int step = 1; step < 22; ++step)
        by_speed.push_back(
            run_virtual(program, run_of(text(before) + "@" + std::to_string(step) + ":" + text(after))).trace);
  in_order(by_speed);
  EXPECT_GE(by_pct.size(), 8u) << "orders that differ";
  EXPECT_TRUE(std::includes(by_speed.begin(), by_speed.end(), by_pct.begin(), by_pct.end()));
}

// Of two threads that run from the same moment, the faster one by far ends first.
TEST(SpeedVectors, OneVectorIsAnOrderOfPriorities) {
  const VirtualResult r = run_virtual(noters({50, 50}), run_of("1,0.0001,1"));
  std::vector<int> expected(50, 2);
  expected.insert(expected.end(), 50, 1);
  std::vector<int> trace = r.trace;
  if (!trace.empty() && trace[0] == 1) {  // its first event, which it has before it must wait
    trace.erase(trace.begin());
    expected.pop_back();
  }
  EXPECT_EQ(trace, expected);
}

}  // namespace
}  // namespace snarl
