// The quiet allowance and steps in one call: who asks less gets the same run, to the last number.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "conduct/quick.h"
#include "policy/catalog.h"
#include "tests/virtual/mini_programs.h"
#include "tests/virtual/random_programs.h"

namespace snarl {
namespace {

void expect_same(const virtual_world::VirtualResult& a, const virtual_world::VirtualResult& b) {
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.switches, b.switches);
  EXPECT_EQ(a.hash, b.hash);
  EXPECT_EQ(a.timeouts, b.timeouts);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.overrides, b.overrides);
  EXPECT_EQ(a.trace, b.trace);
  ASSERT_EQ(a.decisions.size(), b.decisions.size());
  for (size_t i = 0; i < a.decisions.size(); ++i) {
    EXPECT_EQ(a.decisions[i].nth, b.decisions[i].nth);
    EXPECT_EQ(a.decisions[i].pc, b.decisions[i].pc);
    EXPECT_EQ(a.decisions[i].kind, b.decisions[i].kind);
    EXPECT_EQ(a.decisions[i].reason, b.decisions[i].reason);
  }
}

struct Conditions {
  Run run;
  Step budget;
  model::Sleeps sleeps;
};

const policy::PolicyInfo& named(const char* policy) {
  return policy::policy_catalog()[static_cast<size_t>(policy::policy_named(policy))];
}

// Of each kind: with and without fairness, with a budget that is used up, with sleeps that end early, with a hash of
// the partial order.
Conditions conditions(const policy::PolicyInfo& policy, uint64_t index) {
  Conditions s{virtual_world::trial_run(policy, 5, index, 3, 60), index % 5 == 4 ? Step{20} : Step{3000},
               index % 2 == 0 ? model::Sleeps::kLast : model::Sleeps::kFree};
  if (index % 4 == 3) s.run.settings.fairness = 0.05;
  s.run.settings.orders = index % 3 == 1;
  return s;
}

virtual_world::VirtualResult quietly(const virtual_world::VirtualProgram& program, const Conditions& s) {
  virtual_world::UsesAllowance uses;
  return virtual_world::run_virtual(program, s.run, s.budget, s.sleeps);
}

struct Taken {
  uint64_t quiet = 0, gone_on = 0;  // steps of all runs
  uint64_t ordered = 0;             // runs that have a hash of their partial order
};

void compare(const virtual_world::VirtualProgram& program, const std::string& name, Taken& taken) {
  for (const policy::PolicyInfo& policy : policy::policy_catalog()) {
    for (uint64_t index = 0; policy.for_users && index < 20; ++index) {
      SCOPED_TRACE(name + " " + policy.name + " " + std::to_string(index));
      const Conditions s = conditions(policy, index);
      const virtual_world::VirtualResult result = quietly(program, s);
      const virtual_world::VirtualResult asked = virtual_world::run_virtual(program, s.run, s.budget, s.sleeps);
      expect_same(result, asked);
      EXPECT_EQ(asked.order != 0, s.run.settings.orders);
      EXPECT_EQ(result.order, result.order == 0 ? 0 : asked.order) << "0: too many steps to look at";
      if (::testing::Test::HasFailure()) return;
      taken.quiet += result.quiet;
      taken.gone_on += result.gone_on;
      taken.ordered += result.order != 0;
    }
  }
}

TEST(Quiet, RandomProgramsRunTheSame) {
  Taken taken;
  for (uint64_t seed = 0; seed < 150 && !HasFailure(); ++seed)
    compare(random_program(seed), std::to_string(seed), taken);
  EXPECT_GT(taken.quiet, 100'000u);
  EXPECT_GT(taken.gone_on, 10'000u);
  EXPECT_GT(taken.ordered, 1000u);
}

TEST(Quiet, KnownProgramsRunTheSame) {
  Taken taken;
  for (const auto& programs : {wrong_programs(), correct_programs(), spinning_programs()})
    for (const MiniProgram& program : programs) compare(program.body, program.name, taken);
}

virtual_world::VirtualProgram events(int count) {
  return [count](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < count; ++i) co_await w.event();
  };
}

// Two threads of so many events each.
virtual_world::VirtualProgram two_of(int count) {
  return [count](virtual_world::World& w) -> virtual_world::Task {
    const virtual_world::VirtualProgram other = events(count);
    const int t = co_await w.create(other);
    for (int i = 0; i < count; ++i) co_await w.event();
    co_await w.join(t);
  };
}

TEST(Quiet, NearlyAllStepsOfAPlanAre) {
  const virtual_world::VirtualResult result = quietly(two_of(1000), conditions(named("pct"), 0));
  EXPECT_EQ(result.outcome, OutcomeKind::kOk);
  EXPECT_GT(result.quiet, result.steps - 20);
}

TEST(Quiet, NoneWhereEveryStepIsChosen) {
  for (const char* policy : {"random", "pos"}) {
    const virtual_world::VirtualResult result = quietly(two_of(100), conditions(named(policy), 0));
    EXPECT_LT(result.quiet, 110u) << "but for those who are alone at the end";
  }
}

TEST(Quiet, EndsWithTheBudget) {
  Conditions s = conditions(named("pct"), 0);
  s.budget = 77;
  const virtual_world::VirtualResult result = quietly(two_of(1000), s);
  EXPECT_EQ(result.outcome, OutcomeKind::kStepBudget);
  EXPECT_EQ(result.steps, 77u * (1 + conduct::Continuation::kTimes));
}

// A conductor and two threads of which main goes on: 0 is its slot, 1 the other's.
class TwoThreads : public ::testing::Test {
 protected:
  TwoThreads() {
    conductor_->begin(run_, *policy::policy_catalog()[run_.key.policy.policy].make(arena_), arena_, log_, steps_, 0);
    conductor_->spawn(kMainThread, false, 0);
  }
  void ask(OpKind kind) {
    const ThreadId next = conductor_->arrive(at_, Op{.kind = kind}).next;
    ASSERT_NE(next, kNoThread);
    conductor_->take(at_ = next);
  }

  std::vector<char> memory_ = std::vector<char>(1 << 16);
  Arena arena_{memory_.data(), memory_.size()};
  uint32_t count_ = 0;
  uint64_t switches_ = 0, hash_ = 0;
  Step steps_ = 0;
  DecisionLog log_{{}, count_, switches_, hash_};
  snarl::Run run_ = virtual_world::virtual_run("pct", 1, 1, 1, 2, 100);
  std::unique_ptr<conduct::Conductor> conductor_ = std::make_unique<conduct::Conductor>();
  ThreadId at_ = kMainThread;
};

// It may be less than that, for whoever watches for spin loops.
TEST_F(TwoThreads, EveryLookIsAskedFor) {
  constexpr Step kLook = conduct::Conductor::kQuietLook;
  ask(OpKind::kSignal);
  Step passed = 0, asked_at_looks = 0;
  while (conductor_->quiet_row() < 3 * kLook) {
    const Step before = conductor_->quiet_row();
    const Step more = conductor_->allowance(at_);
    conductor_->add_quiet_steps(at_, more);
    passed += more;
    EXPECT_EQ(before / kLook, conductor_->quiet_row() / kLook) << "passed over a look";
    if (more != 0) continue;
    ask(OpKind::kAfter);
    ASSERT_EQ(conductor_->quiet_row(), before + 1);
    asked_at_looks += conductor_->quiet_row() % kLook == 0;
  }
  EXPECT_EQ(asked_at_looks, 3u);
  EXPECT_GT(passed, kLook);
  ask(OpKind::kSignal);
  EXPECT_EQ(conductor_->quiet_row(), 0u);
}

TEST_F(TwoThreads, NoneWhileSomebodyGaveWay) {
  ask(OpKind::kYield);
  EXPECT_EQ(conductor_->allowance(at_), 0u);
}

TEST_F(TwoThreads, NoneWithASignalToHandle) {
  ask(OpKind::kSignal);
  ASSERT_GT(conductor_->allowance(at_), 0u);
  conductor_->model().interrupt(at_);
  EXPECT_EQ(conductor_->allowance(at_), 0u);
}

TEST_F(TwoThreads, NoneWhenSomebodyBecomesEnabled) {
  ask(OpKind::kSignal);
  ask(OpKind::kSignal);
  ASSERT_GT(conductor_->allowance(at_), 0u);
  ASSERT_NE(conductor_->spawn(at_, false, 0), kNoThread);
  EXPECT_EQ(conductor_->allowance(at_), 0u);
}

}  // namespace
}  // namespace snarl
