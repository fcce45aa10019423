// The rule of pct, word for word, as a policy that is asked at every point: the plan that
// the conductor runs with holds must give the same schedule.
#include <gtest/gtest.h>

#include <map>

#include "policy/pct.h"
#include "tests/virtual/mini_programs.h"

namespace snarl {
namespace {

class PctByTheBook final : public policy::Policy {
 public:
  bool begin(const Run& run, Arena& arena, policy::Plan& plan) override {
    policy::Pct().begin(run, arena, plan_);
    plan = policy::Plan();
    rank_.assign(plan_.ranks.begin(), plan_.ranks.end());
    return false;
  }
  void decide(const policy::View& view, policy::Verdict& verdict) override {
    policy::Rank lowest = ~policy::Rank{0};
    for (const policy::Change& change : plan_.changes)
      if (change.step == view.step) lowest = std::min(lowest, change.rank);
    const bool counted =
        view.did.kind != OpKind::kCreate || view.live.size() > 2;  // a create by the only thread is not
    if (counted && lowest != ~policy::Rank{0}) rank_.at(view.last_ordinal) = lowest;
    view.enabled.for_each([&](ThreadId t) {
      if (verdict.first == kNoThread || rank_.at(view.ordinal(t)) > rank_.at(view.ordinal(verdict.first)))
        verdict.first = t;
    });
  }

 private:
  policy::Plan plan_;
  std::vector<policy::Rank> rank_;
};

TEST(Pct, IsItsRuleAtEveryPoint) {
  PctByTheBook book;
  for (const auto& list : {wrong_programs(), correct_programs(), spinning_programs()})
    for (const MiniProgram& program : list)
      for (uint64_t i = 0; i < 400; ++i) {
        const auto run = virtual_world::virtual_run("pct", static_cast<double>(1 + i % 5), 7, i, program.n, program.k);
        const virtual_world::VirtualResult expected = virtual_world::run_virtual(program.body, book, run);
        const virtual_world::VirtualResult got = virtual_world::run_virtual(program.body, run);
        ASSERT_EQ(got.hash, expected.hash) << program.name << " " << i;
        ASSERT_EQ(got.steps, expected.steps) << program.name << " " << i;
        ASSERT_EQ(got.outcome, expected.outcome) << program.name << " " << i;
      }
}

// (seed, index) is all that counts: any order of runs, whatever the same World ran before.
TEST(Determinism, SameSeedAndIndexSameRun) {
  const auto wrong = wrong_programs();
  const auto spinning = spinning_programs();
  const auto result_of = [&](uint64_t i, const char* policy) {
    const MiniProgram& program = wrong[i % wrong.size()];
    const virtual_world::VirtualResult r =
        virtual_world::run_virtual(program.body, virtual_world::virtual_run(policy, 3, 5, i, program.n, program.k));
    return std::make_tuple(r.outcome, r.hash, r.steps, r.switches, r.created, r.message, r.trace);
  };
  for (const char* policy : {"random", "pct"}) {
    std::map<uint64_t, decltype(result_of(0, policy))> first;
    for (uint64_t i = 0; i < 1000; ++i) first[i] = result_of(i, policy);
    for (uint64_t j = 0; j < 1000; ++j) {
      const uint64_t i = (j * 617 + 13) % 1000;  // another order, other programs in between
      if (j % 7 == 0)
        virtual_world::run_virtual(spinning[j % spinning.size()].body,
                                   virtual_world::virtual_run("random", 0, j, j, 4, 50), j % 5);
      ASSERT_EQ(result_of(i, policy), first[i]) << policy << " " << i;
    }
  }
}

// A run that is cut off anywhere, with locks held and threads waiting, leaves nothing behind.
TEST(Determinism, AfterACutOffRun) {
  for (const MiniProgram& program : correct_programs()) {
    const auto run = virtual_world::virtual_run("random", 0, 1, 1, program.n, program.k);
    const uint64_t hash = virtual_world::run_virtual(program.body, run).hash;
    for (Step budget = 1; budget < 30; ++budget) {
      virtual_world::run_virtual(program.body, virtual_world::virtual_run("random", 0, 2, budget, program.n, program.k),
                                 budget);
      ASSERT_EQ(virtual_world::run_virtual(program.body, run).hash, hash) << program.name << " " << budget;
    }
  }
}

TEST(Budget, EndsARunAtItsStep) {
  const virtual_world::VirtualProgram forever = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.create([](virtual_world::World& v) -> virtual_world::Task {
      for (;;) co_await v.yield();
    });
    for (;;) co_await w.yield();
  };
  for (Step budget : {1u, 2u, 100u}) {
    const virtual_world::VirtualResult r =
        virtual_world::run_virtual(forever, virtual_world::virtual_run("pct", 2, 1, 1, 2, 50), budget);
    EXPECT_EQ(r.outcome, OutcomeKind::kStepBudget);
    EXPECT_EQ(r.steps, budget * (1 + conduct::Continuation::kTimes));
  }
}

}  // namespace
}  // namespace snarl
