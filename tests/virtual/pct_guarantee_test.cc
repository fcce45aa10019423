// PLDI'12, theorem 9: pct and ppct hit a bug of depth d with probability >= 1/(n k^(d-1)) per run.
//
// The programs are tight: exactly one directive leads to the bug, so the rate is exactly
// the bound, and a pct that does anything else than the theorem's falls below it. Exact
// binomial tests; a right pct fails one by luck with less than 1e-9.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "base/test_statistics.h"
#include "policy/pct.h"
#include "policy/ppct.h"
#include "virtual/world.h"

namespace snarl {
namespace {

struct Tight {
  virtual_world::VirtualProgram body;
  int depth;
  uint32_t n;
  Step k;  // the most steps that a run counts: all but those of the last thread when it is alone
};

// Depth 1: A's event comes after all of main's and B's. Only if A has the lowest priority.
Tight depth_1() {
  const virtual_world::VirtualProgram a = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.event();
    w.expect(!(w.value[0] && w.value[1]), "A came last");
  };
  const virtual_world::VirtualProgram b = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.event();
    w.value[1] = 1;
  };
  return {[=](virtual_world::World& w) -> virtual_world::Task {
            co_await w.create(a);
            co_await w.create(b);
            co_await w.event();
            w.value[0] = 1;
          },
          1, 3, 5 + 3 + 3 - 1};
}

// Depth 2: main's event comes when W has taken exactly 7 of its 16. W must be above main, and
// be lowered after its 8th step.
Tight depth_2() {
  const virtual_world::VirtualProgram w16 = [](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < 16; ++i) co_await w.event(), ++w.value[0];
  };
  return {[=](virtual_world::World& w) -> virtual_world::Task {
            co_await w.create(w16);
            co_await w.event();
            w.expect(w.value[0] != 7, "main saw W at 7");
          },
          2, 2, 3 + 18 - 1};
}

// Depth 3, the first change in time has the higher of the low priorities: W is lowered at 3,
// main runs and is lowered below W at 4, and W's next event sees main there.
Tight depth_3_high_first() {
  const virtual_world::VirtualProgram other = [](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < 6; ++i) {
      co_await w.event();
      w.expect(!(w.value[0] == 3 && w.value[2] == 1 && w.value[1] == 4), "W at 3 saw main at 4, who saw W at 3");
      ++w.value[0];
    }
  };
  return {[=](virtual_world::World& w) -> virtual_world::Task {
            co_await w.create(other);
            for (int i = 0; i < 6; ++i) {
              co_await w.event();
              if (i == 0) w.value[2] = w.value[0] == 3;
              ++w.value[1];
            }
          },
          3, 2, 8 + 8 - 1};
}

// Depth 3, the first change in time has the lowest priority: main is lowered to 1 by the step that creates X, X to 2
// at its second event; then A, the lowest of all three at the start, runs, then the rest of X, then main.
Tight depth_3_low_first() {
  const virtual_world::VirtualProgram a = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.event();
    w.value[2] = w.value[0] == 1 && w.value[1] == 2;
  };
  const virtual_world::VirtualProgram x = [](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < 4; ++i) co_await w.event(), ++w.value[1];
  };
  return {[=](virtual_world::World& w) -> virtual_world::Task {
            co_await w.create(a);
            co_await w.event();
            co_await w.event();
            w.value[0] = 1;
            co_await w.create(x);
            w.value[0] = 2;
            w.expect(!(w.value[2] == 1 && w.value[1] == 4), "A in the middle of X, X before main");
          },
          3, 3, 6 + 3 + 6 - 1};
}

// Depth 4: three switches at one step each. W is lowered at 2, main runs and is lowered below W at 2, W is lowered
// below main at 4, and main's last event sees it there.
Tight depth_4() {
  const virtual_world::VirtualProgram other = [](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < 5; ++i) {
      co_await w.event();
      if (i == 2) w.value[3] = w.value[1] == 2 && w.value[2] == 1;  // W at 2 saw main at 2, who saw W at 2
      ++w.value[0];
    }
  };
  return {[=](virtual_world::World& w) -> virtual_world::Task {
            co_await w.create(other);
            for (int i = 0; i < 3; ++i) {
              co_await w.event();
              if (i == 0) w.value[2] = w.value[0] == 2;
              if (i == 2) w.expect(!(w.value[0] == 4 && w.value[3] == 1), "main at 2 saw W at 4");
              ++w.value[1];
            }
          },
          4, 2, 5 + 7 - 1};
}

std::vector<Tight> all_tight() { return {depth_1(), depth_2(), depth_3_high_first(), depth_3_low_first(), depth_4()}; }

double bound(const Tight& program) {
  return 1 / (program.n * std::pow(static_cast<double>(program.k), program.depth - 1));
}

constexpr uint64_t kRuns = 300'000;

uint64_t hits(const Tight& program, policy::Policy& policy) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < kRuns; ++i) {
    const Run run = virtual_world::virtual_run("pct", program.depth, 1, i, program.n, program.k);
    const virtual_world::VirtualResult result = virtual_world::run_virtual(program.body, policy, run);
    count += result.outcome == OutcomeKind::kAssert;
    EXPECT_LE(result.steps, program.k);
  }
  return count;
}

// n and k are the program's exact ones: no schedule has more, and some has as many.
TEST(PctGuarantee, ProfilesAreExact) {
  for (const Tight& program : all_tight()) {
    Step most = 0;
    for (uint64_t i = 0; i < 5000; ++i) {
      const virtual_world::VirtualResult result =
          virtual_world::run_virtual(program.body, virtual_world::virtual_run("random", 0, 1, i, 0, 0));
      EXPECT_LE(result.created, program.n);
      most = std::max(most, result.steps);
    }
    EXPECT_EQ(most, program.k);
  }
}

void expect_guarantee(const Tight& program, const char* what) {
  policy::Pct pct;
  policy::Ppct ppct;
  for (policy::Policy* policy : {static_cast<policy::Policy*>(&pct), static_cast<policy::Policy*>(&ppct)}) {
    const uint64_t count = hits(program, *policy);
    EXPECT_TRUE(is_rate_within(count, kRuns, bound(program), 3 * bound(program))) << count;
    std::printf("%s, %s: n=%u k=%lu, %lu of %lu hit, %.3f x the bound 1/%.0f\n", policy == &pct ? "pct" : "ppct", what,
                program.n, program.k, count, kRuns,
                static_cast<double>(count) / static_cast<double>(kRuns) / bound(program), 1 / bound(program));
  }
}

TEST(PctGuarantee, Depth1) { expect_guarantee(depth_1(), "depth 1"); }
TEST(PctGuarantee, Depth2) { expect_guarantee(depth_2(), "depth 2"); }
TEST(PctGuarantee, Depth3HighFirst) { expect_guarantee(depth_3_high_first(), "depth 3, high first"); }
TEST(PctGuarantee, Depth3LowFirst) { expect_guarantee(depth_3_low_first(), "depth 3, low first"); }
TEST(PctGuarantee, Depth4) { expect_guarantee(depth_4(), "depth 4"); }

// Main waits for four threads. If one of them is the low one, it takes no step while the others live, and each of those
// is equally likely at every step, whoever took the last (disjoint pairs of steps). If main is, they come one by one.
TEST(Ppct, HighThreadsAreEquallyLikelyAndLowOnesWait) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    const virtual_world::VirtualProgram body = [](virtual_world::World& v) -> virtual_world::Task {
      for (int i = 0; i < 150; ++i) co_await v.event();
    };
    std::vector<int> threads;
    for (int i = 0; i < 4; ++i) threads.push_back(co_await w.create(body));
    for (int t : threads) co_await w.join(t);
  };
  constexpr uint64_t kFew = 2000;
  std::vector<uint64_t> pairs(9);
  uint64_t low[5] = {};
  for (uint64_t i = 0; i < kFew; ++i) {
    const std::vector<uint32_t> who = virtual_world::takers(
        virtual_world::run_virtual(program, virtual_world::virtual_run("ppct", 1, 1, i, 5, 700)), 140);
    uint64_t steps[5] = {};
    for (size_t s = 80; s < who.size(); ++s) ++steps[who[s]];
    if (std::count(steps + 1, steps + 5, 0u) == 3) ++low[0];
    if (std::count(steps + 1, steps + 5, 0u) != 1) continue;
    const auto idle = static_cast<size_t>(std::find(steps + 1, steps + 5, 0u) - steps);
    ++low[idle];
    const auto nth = [&](size_t s) { return who[s] - 1 - (who[s] > idle); };
    for (size_t s = 80; s < who.size(); s += 2) ++pairs[nth(s) * 3 + nth(s + 1)];
  }
  for (uint64_t count : low) EXPECT_TRUE(is_rate_within(count, kFew, 0.199, 0.201)) << count;
  EXPECT_GT(uniform_tail(pairs), kByLuck);
}

// Wrong pcts: change points put in order of time, with the priorities handed out in that order.
class SortedPct final : public policy::Policy {
 public:
  explicit SortedPct(bool highest_first) : highest_first_(highest_first) {}
  bool begin(const Run& run, Arena& arena, policy::Plan& plan) override {
    policy::Pct().begin(run, arena, plan);
    std::vector<policy::Rank> ranks;
    for (const policy::Change& change : plan.changes) ranks.push_back(change.rank);
    std::sort(ranks.begin(), ranks.end());
    if (highest_first_) std::reverse(ranks.begin(), ranks.end());
    std::sort(plan.changes.begin(), plan.changes.end(),
              [](const policy::Change& a, const policy::Change& b) { return a.step < b.step; });
    for (size_t i = 0; i < ranks.size(); ++i) plan.changes[i].rank = ranks[i];
    return true;
  }
  void decide(const policy::View&, policy::Verdict&) override {}

 private:
  bool highest_first_;
};

bool passes(const Tight& program, policy::Policy& policy) {
  return is_rate_within(hits(program, policy), kRuns, bound(program), 3 * bound(program));
}

TEST(PctGuarantee, TheTestsRefuseSortedChangePoints) {
  SortedPct highest_first(true), lowest_first(false);
  EXPECT_TRUE(passes(depth_3_high_first(), highest_first));
  EXPECT_FALSE(passes(depth_3_low_first(), highest_first));
  EXPECT_FALSE(passes(depth_3_high_first(), lowest_first));
  EXPECT_TRUE(passes(depth_3_low_first(), lowest_first));
}

// Draws its change points from about the first half of the steps only.
class EarlyPct final : public policy::Policy {
 public:
  bool begin(const Run& run, Arena& arena, policy::Plan& plan) override {
    policy::Pct().begin(run, arena, plan);
    for (policy::Change& change : plan.changes) change.step = 1 + (change.step + 1) / 2;
    return true;
  }
  void decide(const policy::View&, policy::Verdict&) override {}
};

TEST(PctGuarantee, TheTestsRefuseChangePointsOfTheFirstHalfOnly) {
  EarlyPct early;
  EXPECT_FALSE(passes(depth_3_low_first(), early));
}

}  // namespace
}  // namespace snarl
