// A replay waits for what comes from outside the program, and looks away from what comes early.
#include "conduct/outside.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "conduct/conductor.h"
#include "policy/follow.h"

namespace snarl::conduct {
namespace {

class FakeOutside final : public Outside {
 public:
  FakeOutside() { set_any(true); }
  void look(model::Model&) override {}
  bool wait(model::Model&, uint64_t) override { return false; }
  bool wait_for(model::Model& model, ThreadId t) override {
    ++waited;
    if (comes) model.set_ready(t, true);
    return comes;
  }

  bool comes = true;
  int waited = 0;
};

Decision switch_at(Step step, uint32_t from, uint32_t to, OpKind kind) {
  Decision decision;
  decision.step = step;
  decision.from = from;
  decision.to = to;
  decision.kind = kind;
  return decision;
}

// Main yields, T1 starts and waits for the outside, main yields again, and the recording goes on with `third`.
struct Replay {
  explicit Replay(const Decision& third)
      : recording{switch_at(0, 0, 1, OpKind::kYield), switch_at(1, 1, 0, OpKind::kIo), third} {
    Run run;
    run.follow = recording;
    conductor->begin(run, follow, arena, log, steps, 0);
    conductor->set_outside(&outside);
    child = conductor->spawn(kMainThread, false, 0);
  }

  Choice to_third(const Op& io) {
    EXPECT_EQ(conductor->arrive(kMainThread, Op{.kind = OpKind::kYield}).next, child);
    conductor->take(child);
    EXPECT_EQ(conductor->arrive(child, io).next, kMainThread);
    conductor->take(kMainThread);
    return conductor->arrive(kMainThread, Op{.kind = OpKind::kYield});
  }

  std::vector<Decision> recording;
  std::vector<Decision> room = std::vector<Decision>(16);
  uint32_t count = 0;
  uint64_t switches = 0, hash = 0;
  Step steps = 0;
  DecisionLog log{room, count, switches, hash};
  std::vector<char> memory = std::vector<char>(1 << 16);
  Arena arena{memory.data(), memory.size()};
  policy::Follow follow;
  FakeOutside outside;
  std::unique_ptr<Conductor> conductor = std::make_unique<Conductor>();
  ThreadId child = kNoThread;
};

TEST(Outside, AReplayWaitsForARecordedArrival) {
  Replay replay(switch_at(2, 0, 1, OpKind::kYield));
  const Choice choice = replay.to_third(Op{.kind = OpKind::kIo});
  EXPECT_EQ(choice.turn, Turn::kGo);
  EXPECT_EQ(choice.next, replay.child);
  EXPECT_EQ(replay.outside.waited, 1);
}

TEST(Outside, WhatNeverComesIsADivergence) {
  Replay replay(switch_at(2, 0, 1, OpKind::kYield));
  replay.outside.comes = false;
  EXPECT_EQ(replay.to_third(Op{.kind = OpKind::kIo}).turn, Turn::kDiverged);
}

TEST(Outside, WhatIsReadyEarlyDoesNotKeepARecordedTimeoutFromComing) {
  Replay replay(switch_at(2, 0, 1 | kTimerBit, OpKind::kYield));
  const Choice choice = replay.to_third(Op{.kind = OpKind::kIo, .timed = true, .value = 1, .deadline = 10});
  EXPECT_EQ(choice.turn, Turn::kGo);
  EXPECT_EQ(replay.conductor->timeouts(), 1u);
  EXPECT_EQ(replay.outside.waited, 0);
}

}  // namespace
}  // namespace snarl::conduct
