// When an idle thread makes way, and when it does not: a yield is a step like any other until it has been hundreds.
#include <gtest/gtest.h>

#include "policy/pick.h"
#include "virtual/world.h"

namespace snarl {
namespace {

constexpr int kMany = 399, kTooMany = 401;

virtual_world::VirtualProgram idles(OpKind kind, int times) {
  return [=](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < times; ++i) {
      if (kind == OpKind::kSleep)
        co_await w.sleep(0);
      else
        co_await w.at(kind);
    }
  };
}

virtual_world::Task waits_for_flag(virtual_world::World& w) {
  while (w.value[0] == 0) co_await w.yield();
}
virtual_world::Task sets_flag(virtual_world::World& w) {
  for (int i = 0; i < 50; ++i) co_await w.event();
  w.value[0] = 1;
}

virtual_world::VirtualProgram all_of(std::vector<virtual_world::VirtualProgram> bodies) {
  return [bodies](virtual_world::World& w) -> virtual_world::Task {
    std::vector<int> threads;
    for (const virtual_world::VirtualProgram& body : bodies) threads.push_back(co_await w.create(body));
    for (const int t : threads) co_await w.join(t);
  };
}

// Main first, then T1 to Tn in turn, as long as one of them may; the others only if there is nobody else.
class FirstInTurn final : public policy::Policy {
 public:
  explicit FirstInTurn(uint32_t n) : n_(n) {}
  bool begin(const Run&, Arena&, policy::Plan&) override { return false; }
  void decide(const policy::View& view, policy::Verdict& verdict) override {
    verdict.first = policy::enabled_with_ordinal(view, 0);
    for (uint32_t i = 0; i < n_ && verdict.first == kNoThread; ++i)
      verdict.first = policy::enabled_with_ordinal(view, 1 + turn_++ % n_);
    if (verdict.first == kNoThread) verdict.first = view.enabled.first();
  }

 private:
  uint32_t n_, turn_ = 0;
};

virtual_world::VirtualResult starve(const virtual_world::VirtualProgram& program, uint32_t favoured) {
  FirstInTurn policy(favoured);
  return virtual_world::run_virtual(program, policy, {}, 20'000);
}

TEST(Idle, HundredsOfStepsAreLeftAlone) {
  for (const OpKind kind : {OpKind::kYield, OpKind::kPause, OpKind::kSleep, OpKind::kTestCancel}) {
    EXPECT_EQ(starve(all_of({idles(kind, kMany), sets_flag}), 1).passed_over, 0u) << name_of(kind);
    EXPECT_EQ(starve(all_of({idles(kind, kTooMany), sets_flag}), 1).passed_over > 0, true) << name_of(kind);
  }
}

// Nobody is passed over while somebody else moves.
TEST(Idle, InTurnWithOthersNobodyMakesWay) {
  const virtual_world::VirtualResult r = starve(all_of({idles(OpKind::kYield, 3000), idles(OpKind::kYield, 3000)}), 2);
  EXPECT_EQ(r.outcome, OutcomeKind::kOk);
  EXPECT_EQ(r.passed_over, 0u);
}

TEST(Idle, ASpinnerOfHighestPriorityMakesWay) {
  const virtual_world::VirtualResult r = starve(all_of({waits_for_flag, sets_flag}), 1);
  EXPECT_EQ(r.outcome, OutcomeKind::kOk);
  EXPECT_GT(r.passed_over, 0u);
  EXPECT_LT(r.steps, 600u) << "once it was found to spin, each round lets the other take a step";
}

// They see each other move, but the one that they wait for does not.
TEST(Idle, SpinnersInTurnMakeWay) {
  const virtual_world::VirtualResult r = starve(all_of({waits_for_flag, waits_for_flag, sets_flag}), 2);
  EXPECT_EQ(r.outcome, OutcomeKind::kOk);
  EXPECT_GT(r.passed_over, 0u);
  EXPECT_LT(r.steps, 4000u);
}

TEST(Idle, ASleepOfNoLengthIsOneStep) {
  const Step without = starve(all_of({idles(OpKind::kSleep, 0), sets_flag}), 1).steps;
  EXPECT_EQ(starve(all_of({idles(OpKind::kSleep, 5), sets_flag}), 1).steps, without + 5);
}

}  // namespace
}  // namespace snarl
