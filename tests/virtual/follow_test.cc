// Replay: identical, or divergence at the first step that differs, named; never a crash, never a hang.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/rng.h"
#include "tests/virtual/mini_programs.h"

namespace snarl {
namespace {

Run follow(const std::vector<Decision>& recording) {
  Run run = virtual_world::virtual_run("follow", 0, 0, 0, 2, 1);
  run.follow = recording;
  return run;
}

bool same(const Decision& a, const Decision& b) {
  return a.step == b.step && a.pc == b.pc && a.nth == b.nth && a.from == b.from && a.to == b.to && a.kind == b.kind &&
         a.reason == b.reason;
}

std::vector<MiniProgram> all_programs() {
  std::vector<MiniProgram> all = wrong_programs();
  for (const auto& list : {correct_programs(), spinning_programs()}) all.insert(all.end(), list.begin(), list.end());
  return all;
}

virtual_world::VirtualResult record(const MiniProgram& program, uint64_t index) {
  return virtual_world::run_virtual(
      program.body, virtual_world::virtual_run(index % 2 ? "random" : "pct", 3, 11, index, program.n, program.k));
}

TEST(Follow, IsIdenticalForEveryProgramAndSeed) {
  for (const MiniProgram& program : all_programs())
    for (uint64_t i = 0; i < 300; ++i) {
      const virtual_world::VirtualResult recorded = record(program, i);
      const virtual_world::VirtualResult replayed =
          virtual_world::run_virtual(program.body, follow(recorded.decisions));
      ASSERT_EQ(replayed.outcome, recorded.outcome) << program.name << " " << i;
      ASSERT_EQ(replayed.steps, recorded.steps);
      ASSERT_EQ(replayed.hash, recorded.hash);
      ASSERT_EQ(replayed.trace, recorded.trace);
      ASSERT_EQ(replayed.message, recorded.message);
      ASSERT_EQ(replayed.decisions.size(), recorded.decisions.size());
      for (size_t d = 0; d < recorded.decisions.size(); ++d)
        ASSERT_TRUE(same(replayed.decisions[d], recorded.decisions[d]));
    }
}

// Two threads of events; `more` events of the second, from its `at`-th on, are new.
virtual_world::VirtualProgram edited(int at, int more) {
  return [=](virtual_world::World& w) -> virtual_world::Task {
    co_await w.create([=](virtual_world::World& v) -> virtual_world::Task {
      for (int i = 0; i < 6 + more; ++i) {
        co_await v.event(i < at ? i : i < at + more ? 40 : i - more);
        v.note(i);
      }
    });
    for (int i = 0; i < 6; ++i) co_await w.event(10 + i);
  };
}

// Switches at every step of the second thread, so the first one after the edit is where it must diverge.
TEST(Follow, AChangedProgramDivergesAtTheFirstDifference) {
  int diverged = 0;
  for (uint64_t i = 0; i < 200; ++i) {
    const virtual_world::VirtualResult recorded =
        virtual_world::run_virtual(edited(0, 0), virtual_world::virtual_run("random", 0, 3, i, 2, 30));
    for (int at = 0; at < 6; ++at) {
      const virtual_world::VirtualResult r = virtual_world::run_virtual(edited(at, 1), follow(recorded.decisions));
      // The first recorded switch away from the second thread at a point that has moved.
      const auto moved = std::find_if(recorded.decisions.begin(), recorded.decisions.end(), [&](const Decision& d) {
        return d.from == 1 && d.nth > static_cast<uint64_t>(at);
      });
      if (moved == recorded.decisions.end()) continue;
      ++diverged;
      ASSERT_EQ(r.outcome, OutcomeKind::kDivergence) << i << " " << at;
      ASSERT_TRUE(same(r.expected, *moved)) << "step " << r.expected.step << ", not " << moved->step;
      ASSERT_EQ(r.got.step, moved->step);
      ASSERT_EQ(r.got.from, moved->from);
      ASSERT_TRUE(r.got.pc != moved->pc || r.got.kind != moved->kind);
      ASSERT_EQ(r.steps, moved->step) << "it stops there";
    }
  }
  EXPECT_GT(diverged, 500);
}

TEST(Follow, AThreadThatCannotGoOnDiverges) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.create([](virtual_world::World& v) -> virtual_world::Task {
      co_await v.lock(0);
      for (int i = 0; i < 5; ++i) co_await v.event();
    });
    for (int i = 0; i < 5; ++i) co_await w.event();
    co_await w.lock(0);
  };
  std::vector<Decision> recording(2);
  recording[0] = {.step = 0, .from = 0, .to = 1, .kind = OpKind::kAfter};
  recording[1] = {.step = 3, .from = 1, .to = 0, .kind = OpKind::kAfter};  // main then blocks at step 9, or so
  recording.push_back({.step = 50, .from = 0, .to = 1, .kind = OpKind::kLock});
  const virtual_world::VirtualResult r = virtual_world::run_virtual(program, follow(recording));
  EXPECT_EQ(r.outcome, OutcomeKind::kDivergence);
  EXPECT_EQ(r.got.step, 9u);  // 3 of the other, after and 5 events of main
  EXPECT_EQ(r.got.kind, OpKind::kLock);
  EXPECT_EQ(r.got.reason, Reason::kBlocked);
  EXPECT_EQ(r.expected.step, 50u);
}

// Whatever comes after the end of a recording has no preemption in it.
TEST(Follow, GoesOnWithoutPreemption) {
  for (const MiniProgram& program : all_programs())
    for (uint64_t i = 0; i < 20; ++i) {
      virtual_world::VirtualResult recorded = record(program, i);
      const size_t keep = recorded.decisions.size() / 2;
      recorded.decisions.resize(keep);
      const virtual_world::VirtualResult r =
          virtual_world::run_virtual(program.body, follow(recorded.decisions), 20'000);
      ASSERT_NE(r.outcome, OutcomeKind::kDivergence) << program.name;
      ASSERT_NE(r.outcome, OutcomeKind::kStepBudget) << program.name;
      ASSERT_GE(r.decisions.size(), keep);
      for (size_t d = 0; d < keep; ++d) ASSERT_TRUE(same(r.decisions[d], recorded.decisions[d]));
      for (size_t d = keep; d < r.decisions.size(); ++d)
        ASSERT_NE(r.decisions[d].reason, Reason::kPreempted) << program.name;
    }
}

Decision garbage(Rng& rng) {
  Decision d;
  d.step = rng.below(3) ? rng.below(40) : rng.next();
  d.from = static_cast<uint32_t>(rng.below(3) ? rng.below(4) : rng.next());
  d.to = static_cast<uint32_t>(rng.below(3) ? rng.below(4) : rng.next());
  d.pc = rng.below(3) ? 0 : rng.next();
  d.kind = static_cast<OpKind>(rng.below(256));
  return d;
}

TEST(Follow, GarbageNeverCrashesOrHangs) {
  Rng rng(1);
  for (const MiniProgram& program : all_programs())
    for (uint64_t i = 0; i < 300; ++i) {
      std::vector<Decision> recording = record(program, i % 10).decisions;
      for (uint64_t edits = 1 + rng.below(3); edits > 0; --edits) {
        const size_t at = recording.empty() ? 0 : rng.below(recording.size());
        const auto here = recording.begin() + static_cast<long>(at);
        switch (rng.below(5)) {
          case 0: recording.insert(here, garbage(rng)); break;
          case 1:
            if (!recording.empty()) recording.erase(here);
            break;
          case 2:
            if (!recording.empty()) *here = garbage(rng);
            break;
          case 3:
            if (!recording.empty()) std::swap(*here, recording.front());
            break;
          case 4:
            if (!recording.empty()) recording.insert(here, *here);
            break;
        }
      }
      const virtual_world::VirtualResult r = virtual_world::run_virtual(program.body, follow(recording), 20'000);
      ASSERT_NE(r.outcome, OutcomeKind::kStepBudget) << program.name << " " << i;
      ASSERT_TRUE(r.outcome != OutcomeKind::kDivergence || r.got.step == r.steps);
    }
}

// A recording whose steps go backwards is a divergence at once, not a run to the end.
TEST(Follow, StepsThatGoBackwardsDiverge) {
  const virtual_world::VirtualProgram program = edited(0, 0);
  std::vector<Decision> recording = {{.step = 0, .from = 0, .to = 1, .kind = OpKind::kAfter},
                                     {.step = 0, .from = 1, .to = 0, .kind = OpKind::kAfter}};
  const virtual_world::VirtualResult r = virtual_world::run_virtual(program, follow(recording));
  EXPECT_EQ(r.outcome, OutcomeKind::kDivergence);
  EXPECT_EQ(r.steps, 1u) << "the first step after which it can be known";
}

}  // namespace
}  // namespace snarl
