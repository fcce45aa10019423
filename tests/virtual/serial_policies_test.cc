// What the serial policies choose, as distributions (chi-square with fixed seeds; a right policy fails by luck with
// less than 1e-9), and which bugs they can and can't find.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/test_statistics.h"
#include "policy/catalog.h"
#include "policy/random_sleep.h"
#include "tests/virtual/every_schedule.h"
#include "tests/virtual/mini_programs.h"
#include "virtual/world.h"

namespace snarl {
namespace {

constexpr const char* kSerial[] = {"random",
                                   "pct",
                                   "ppct",
                                   "preempt-always",
                                   "preempt-bound",
                                   "atom-fuzzer",
                                   "random-sleep",
                                   "none",
                                   "pos",
                                   "urw",
                                   "surw",
                                   "delay-bound",
                                   "noise-white",
                                   "noise-random",
                                   "noise-best",
                                   "noise-contention",
                                   "noise-separating"};

// Every policy with its default parameters.
Run run_of(const char* policy, uint64_t index, uint32_t n, Step k) {
  Run run = virtual_world::virtual_run(policy, 0, 7, index, n, k);
  const policy::PolicyInfo& info = policy::policy_catalog()[run.key.policy.policy];
  for (size_t i = 0; i < info.params.size(); ++i) run.key.policy.values[i] = info.params[i].default_value;
  static constexpr uint64_t kVariables[] = {1000, 1001, 1002, 1003};  // as the world names them
  run.groups = kVariables;
  run.key.turn = index;
  return run;
}

// `threads` of `events` events each, which note who they are; main creates them and ends.
virtual_world::VirtualProgram note_takers(int threads, int events) {
  return [=](virtual_world::World& w) -> virtual_world::Task {
    for (int id = 1; id <= threads; ++id) {
      const virtual_world::VirtualProgram body = [=](virtual_world::World& v) -> virtual_world::Task {
        for (int i = 0; i < events; ++i) {
          co_await v.event();
          v.note(id);
        }
      };
      co_await w.create(body);
    }
  };
}

// How often each trace was seen.
std::map<std::vector<int>, uint64_t> traces(const virtual_world::VirtualProgram& program, Run run, uint64_t runs) {
  std::map<std::vector<int>, uint64_t> counts;
  for (run.key.index = 0; run.key.index < runs; ++run.key.index)
    ++counts[virtual_world::run_virtual(program, run).trace];
  return counts;
}

TEST(SerialPolicies, AreDeterministic) {
  for (const char* policy : kSerial)
    for (const MiniProgram& program : wrong_programs()) {
      const virtual_world::VirtualCounts counts = virtual_world::profile_virtual(program.body);
      std::set<uint64_t> hashes;
      for (uint64_t i = 0; i < 300; ++i) {
        snarl::Run run = run_of(policy, i, program.n, program.k);
        run.counts = counts.view();
        run.settings.fairness = 0.01;
        const virtual_world::VirtualResult a = virtual_world::run_virtual(program.body, run),
                                           b = virtual_world::run_virtual(program.body, run);
        ASSERT_EQ(a.hash, b.hash) << policy << " " << program.name << " " << i;
        ASSERT_EQ(a.steps, b.steps);
        ASSERT_EQ(a.outcome, b.outcome);
        hashes.insert(a.hash);
      }
      ASSERT_GT(hashes.size(), 1u) << policy << " " << program.name << ": always the same schedule";
    }
}

// Nothing is found in correct programs, and threads that spin politely always end.
TEST(SerialPolicies, FindNothingInCorrectPrograms) {
  std::vector<MiniProgram> programs = correct_programs();
  for (MiniProgram& program : spinning_programs()) programs.push_back(std::move(program));
  for (const char* policy : kSerial)
    for (const MiniProgram& program : programs) {
      const virtual_world::VirtualCounts counts = virtual_world::profile_virtual(program.body);
      for (uint64_t i = 0; i < 300; ++i) {
        snarl::Run run = run_of(policy, i, program.n, program.k);
        run.counts = counts.view();
        const virtual_world::VirtualResult r = virtual_world::run_virtual(program.body, run, 20'000);
        ASSERT_EQ(r.outcome, OutcomeKind::kOk) << policy << " " << program.name << " " << i << ": " << r.message;
      }
    }
}

// Two threads that never block: while both live, every step is followed by the other's.
TEST(PreemptAlways, SwitchesAtEveryPoint) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    const virtual_world::VirtualProgram body = [](virtual_world::World& v) -> virtual_world::Task {
      for (int i = 0; i < 20; ++i) co_await v.event();
    };
    co_await w.create(body);
    for (int i = 0; i < 20; ++i) co_await w.event();
  };
  for (uint64_t i = 0; i < 100; ++i) {
    const virtual_world::VirtualResult r = virtual_world::run_virtual(program, run_of("preempt-always", i, 2, 40));
    ASSERT_GE(r.decisions.size(), 40u);
    for (size_t d = 0; d < 40; ++d) ASSERT_EQ(r.decisions[d].step, d);
  }
}

// Main, blocked in a join, leaves three: each of the two others is equally likely at every step.
TEST(PreemptAlways, TheOthersAreEquallyLikely) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    const virtual_world::VirtualProgram body = [](virtual_world::World& v) -> virtual_world::Task {
      for (int i = 0; i < 40; ++i) co_await v.event();
    };
    std::vector<int> ids;
    for (int i = 0; i < 3; ++i) ids.push_back(co_await w.create(body));
    for (int id : ids) co_await w.join(id);
  };
  std::vector<uint64_t> counts(2);
  for (uint64_t i = 0; i < 2000; ++i) {
    const virtual_world::VirtualResult r = virtual_world::run_virtual(program, run_of("preempt-always", i, 4, 140));
    for (const Decision& d : r.decisions)
      if (d.step >= 20 && d.step < 60 && d.from != 0 && d.to != 0) ++counts[(d.to - d.from + 3) % 3 - 1];
  }
  EXPECT_GT(counts[0], 30'000u);
  EXPECT_GT(uniform_tail(counts), kByLuck);
}

uint64_t preemptions(const virtual_world::VirtualResult& r) {
  return static_cast<uint64_t>(std::count_if(r.decisions.begin(), r.decisions.end(),
                                             [](const Decision& d) { return d.reason == Reason::kPreempted; }));
}

TEST(PreemptBound, NeverPreemptsMoreOftenThanItsBound) {
  for (const MiniProgram& program : wrong_programs())
    for (double bound : {0., 1., 2., 5.})
      for (uint64_t i = 0; i < 300; ++i) {
        const virtual_world::VirtualResult r = virtual_world::run_virtual(
            program.body, virtual_world::virtual_run("preempt-bound", bound, 3, i, program.n, program.k));
        ASSERT_LE(preemptions(r), static_cast<uint64_t>(bound)) << program.name;
      }
}

// Two threads that never block and 2 preemptions: every pair of steps is equally likely to be them.
TEST(PreemptBound, EverySetOfStepsIsEquallyLikely) {
  constexpr Step k = 12;
  const virtual_world::VirtualProgram both = [](virtual_world::World& w) -> virtual_world::Task {
    const virtual_world::VirtualProgram body = [](virtual_world::World& v) -> virtual_world::Task {
      for (int i = 0; i < 40; ++i) co_await v.event();
    };
    co_await w.create(body);
    for (int i = 0; i < 40; ++i) co_await w.event();
  };
  std::map<std::vector<Step>, uint64_t> sets;
  constexpr uint64_t kRuns = 60'000;
  for (uint64_t i = 0; i < kRuns; ++i) {
    std::vector<Step> steps;
    for (const Decision& d :
         virtual_world::run_virtual(both, virtual_world::virtual_run("preempt-bound", 2, 3, i, 2, k)).decisions)
      if (d.reason == Reason::kPreempted) steps.push_back(d.step);
    ++sets[steps];
  }
  EXPECT_EQ(sets.size(), k * (k - 1) / 2);
  std::vector<uint64_t> counts;
  for (const auto& [steps, count] : sets) counts.push_back(count);
  EXPECT_GT(uniform_tail(counts), kByLuck);
}

// Without a preemption only what a block or an end brings about is found: no bug that needs one.
TEST(PreemptBound, WithoutPreemptionsFindsNoBugThatNeedsOne) {
  for (const MiniProgram& program : wrong_programs()) {
    uint64_t without = 0, with = 0;
    for (uint64_t i = 0; i < 2000; ++i) {
      without += virtual_world::run_virtual(program.body,
                                            virtual_world::virtual_run("preempt-bound", 0, 3, i, program.n, program.k))
                     .outcome == program.fails;
      with += virtual_world::run_virtual(program.body,
                                         virtual_world::virtual_run("preempt-bound", 2, 3, i, program.n, program.k))
                  .outcome == program.fails;
    }
    const std::string name = program.name;
    if (name == "lock inversion of 2" || name == "lost update" || name == "check then act") {
      EXPECT_EQ(without, 0u) << name;
      EXPECT_GT(with, 0u) << name;
    }
    if (name == "self-deadlock" || name == "ended with a lock") {
      EXPECT_EQ(without, 2000u) << name;
    }
  }
}

TEST(DelayBound, WithoutDelaysThereIsOneSchedule) {
  for (const MiniProgram& program : wrong_programs()) {
    std::set<uint64_t> hashes;
    for (uint64_t i = 0; i < 100; ++i)
      hashes.insert(virtual_world::run_virtual(program.body,
                                               virtual_world::virtual_run("delay-bound", 0, 3, i, program.n, program.k))
                        .hash);
    EXPECT_EQ(hashes.size(), 1u) << program.name;
  }
}

// One delay: each of the k steps is equally likely to be the one, and makes another schedule.
TEST(DelayBound, EveryStepIsEquallyLikely) {
  constexpr Step k = 15;
  std::map<Step, uint64_t> steps;
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    const virtual_world::VirtualProgram body = [](virtual_world::World& v) -> virtual_world::Task {
      for (int i = 0; i < 40; ++i) co_await v.event();
    };
    co_await w.create(body);
    for (int i = 0; i < 40; ++i) co_await w.event();
  };
  for (uint64_t i = 0; i < 30'000; ++i) {
    const virtual_world::VirtualResult r =
        virtual_world::run_virtual(program, virtual_world::virtual_run("delay-bound", 1, 3, i, 2, k));
    ASSERT_EQ(preemptions(r), 1u);
    ++steps[r.decisions[0].step];
  }
  EXPECT_EQ(steps.size(), k);
  std::vector<uint64_t> counts;
  for (const auto& [step, count] : steps) counts.push_back(count);
  EXPECT_GT(uniform_tail(counts), kByLuck);
}

// Takes turns in order of creation when threads block, whatever the seed.
TEST(DelayBound, TakesTurnsInOrderOfCreation) {
  const virtual_world::VirtualResult r =
      virtual_world::run_virtual(note_takers(4, 2), virtual_world::virtual_run("delay-bound", 0, 3, 1, 5, 30));
  EXPECT_EQ(r.trace, (std::vector<int>{1, 1, 2, 2, 3, 3, 4, 4}));
}

// One in `one_in` points is a sleep, and a sleeper sits out 100 steps per millisecond while others are awake.
TEST(RandomSleep, SleepersSitOut) {
  snarl::Run run = run_of("random-sleep", 0, 3, 100);
  run.key.policy.values[0] = 1;  // every point is a sleep
  run.key.policy.values[1] = 10;
  const virtual_world::VirtualProgram program = note_takers(2, 6);
  for (const auto& [trace, count] : traces(program, run, 300)) ASSERT_EQ(trace.size(), 12u);
  run.key.policy.values[0] = 1e9;  // none is: the uniform random walk
  const auto free = traces(note_takers(2, 2), run, 20'000);
  const auto walk = traces(note_takers(2, 2), run_of("random", 0, 3, 100), 20'000);
  EXPECT_EQ(free.size(), walk.size());
}

TEST(None, RunsInOneWayOnly) { EXPECT_EQ(traces(note_takers(3, 2), run_of("none", 0, 4, 30), 50).size(), 1u); }

// Three threads that never block, while main waits for them: whoever took the last step, each is equally likely to take
// the next (disjoint pairs of steps).
TEST(SerialPolicies, UniformChoicesAreUniform) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    const virtual_world::VirtualProgram body = [](virtual_world::World& v) -> virtual_world::Task {
      for (int i = 0; i < 60; ++i) co_await v.event();
    };
    std::vector<int> ids;
    for (int i = 0; i < 3; ++i) ids.push_back(co_await w.create(body));
    for (int id : ids) co_await w.join(id);
  };
  for (const char* policy : {"random", "atom-fuzzer", "obey", "random-sleep"}) {
    std::vector<uint64_t> pairs(9);
    for (uint64_t i = 0; i < 1000; ++i) {
      snarl::Run run = run_of(policy, i, 4, 200);
      if (policy == std::string("random-sleep")) run.key.policy.values[0] = 1e9;
      const std::vector<uint32_t> who = virtual_world::takers(virtual_world::run_virtual(program, run), 80);
      for (size_t s = 40; s < who.size(); s += 2)
        if (who[s] != 0 && who[s + 1] != 0) ++pairs[(who[s] - 1) * 3 + who[s + 1] - 1];
    }
    EXPECT_GT(uniform_tail(pairs), kByLuck) << policy;
    EXPECT_GT(pairs[0], 1500u) << policy;
  }
}

// Main blocks in its join, and no preemption is left: each of the three is equally likely to be next.
TEST(PreemptBound, WhoFollowsABlockedThreadIsUniform) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    const virtual_world::VirtualProgram body = [](virtual_world::World& v) -> virtual_world::Task {
      co_await v.event();
    };
    std::vector<int> ids;
    for (int i = 0; i < 3; ++i) ids.push_back(co_await w.create(body));
    for (int id : ids) co_await w.join(id);
  };
  std::vector<uint64_t> first(3);
  for (uint64_t i = 0; i < 30'000; ++i) {
    const virtual_world::VirtualResult r =
        virtual_world::run_virtual(program, virtual_world::virtual_run("preempt-bound", 0, 3, i, 4, 30));
    ASSERT_EQ(r.decisions[0].reason, Reason::kBlocked);
    ++first[r.decisions[0].to - 1];
  }
  EXPECT_GT(uniform_tail(first), kByLuck);
}

// Two threads are enabled and one has just run: it sleeps with 1/2, and else each is next with 1/2.
TEST(RandomSleep, OneInSoManyPointsIsASleep) {
  std::vector<char> memory(1 << 16);
  policy::View view;
  view.last = 1;
  view.enabled.add(1);
  view.enabled.add(2);
  uint64_t other = 0;
  constexpr uint64_t kRuns = 40'000;
  for (uint64_t i = 0; i < kRuns; ++i) {
    Arena arena(memory.data(), memory.size());
    snarl::Run run = run_of("random-sleep", i, 3, 100);
    run.key.policy.values[0] = 2;
    policy::Plan plan;
    policy::RandomSleep policy;
    policy.begin(run, arena, plan);
    policy::Verdict verdict;
    policy.decide(view, verdict);
    other += verdict.first == 2;
  }
  EXPECT_TRUE(is_rate_within(other, kRuns, 0.7499, 0.7501)) << other;
}

}  // namespace
}  // namespace snarl
