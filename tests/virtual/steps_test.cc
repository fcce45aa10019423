// The rules of docs/rules.md: what is a step, to the number; and when a policy is asked.
#include <gtest/gtest.h>

#include <vector>

#include "base/test_statistics.h"
#include "virtual/world.h"

namespace snarl {
namespace {

// Notes each time it is asked; runs the oldest thread that is enabled, or the youngest, with a given hold.
class Asked final : public policy::Policy {
 public:
  explicit Asked(Step hold, bool youngest = false) : hold_(hold), youngest_(youngest) {}
  bool begin(const Run&, Arena&, policy::Plan&) override { return false; }
  void spawned(const policy::View&, ThreadId child) override { children.push_back(child); }
  void decide(const policy::View& view, policy::Verdict& verdict) override {
    asked.push_back(view.step);
    at.push_back(view.at().kind);
    did.push_back(view.did.kind);
    verdict.first = youngest_ ? view.enabled.nth(view.enabled.size() - 1) : view.enabled.first();
    verdict.hold = hold_;
    verdict.unless_any = unless_any;
    verdict.unless = unless;
  }
  bool unless_any = true;
  ThreadSet unless;
  std::vector<Step> asked;
  std::vector<OpKind> at, did;
  std::vector<ThreadId> children;

 private:
  Step hold_;
  bool youngest_;
};

virtual_world::Task two_events(virtual_world::World& w) {
  co_await w.event();
  co_await w.event();
}

virtual_world::Task main_first(virtual_world::World& w) {
  const int t = co_await w.create(two_events);
  for (int i = 0; i < 5; ++i) co_await w.event();
  co_await w.join(t);
}

Step steps_of(const virtual_world::VirtualProgram& program, bool youngest = false) {
  Asked policy(0, youngest);
  return virtual_world::run_virtual(program, policy).steps;
}

TEST(Steps, AloneNothingCounts) {
  EXPECT_EQ(steps_of([](virtual_world::World& w) -> virtual_world::Task {
              for (int i = 0; i < 10; ++i) co_await w.lock(i);
            }),
            0u);
}

// Create alone is no step; the point after it is one, as two threads live by then.
TEST(Steps, StartAfterExit) {
  const virtual_world::VirtualProgram none = [](virtual_world::World&) -> virtual_world::Task { co_return; };
  const virtual_world::VirtualProgram create_only = [=](virtual_world::World& w) -> virtual_world::Task {
    co_await w.create(none);
  };
  EXPECT_EQ(steps_of(create_only), 2u);        // after, exit; then the other is alone
  EXPECT_EQ(steps_of(create_only, true), 2u);  // start, exit; then main is alone
  const virtual_world::VirtualProgram create_join = [=](virtual_world::World& w) -> virtual_world::Task {
    const int t = co_await w.create(none);
    co_await w.join(t);
  };
  EXPECT_EQ(steps_of(create_join), 3u);  // after, start, exit; the join is taken alone
  const virtual_world::VirtualProgram create_two = [=](virtual_world::World& w) -> virtual_world::Task {
    co_await w.create(none);
    co_await w.create(none);
  };
  EXPECT_EQ(steps_of(create_two), 6u);  // after, create, after, exit, start, exit
}

// lock, unlock and after of unlock; wait and reacquire; signal and after of signal.
TEST(Steps, LocksAndConditionWaits) {
  const virtual_world::VirtualProgram waits = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.lock(0);
    co_await w.wait(1, 0);
    co_await w.unlock(0);
  };
  const virtual_world::VirtualProgram program = [=](virtual_world::World& w) -> virtual_world::Task {
    const int t = co_await w.create(waits);
    co_await w.signal(1);
    co_await w.join(t);
  };
  // The younger first: start lock wait | after signal | reacquire unlock after exit | (after of signal, join: alone)
  EXPECT_EQ(steps_of(program, true), 9u);
  // The older first: after signal after | start lock wait | nobody
  Asked policy(0);
  const virtual_world::VirtualResult lost = virtual_world::run_virtual(program, policy);
  EXPECT_EQ(lost.outcome, OutcomeKind::kDeadlock);
  EXPECT_EQ(lost.steps, 6u);
}

TEST(Steps, ABlockedLockIsOneStepWhenItIsEnabled) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.lock(0);
    const int t = co_await w.create([](virtual_world::World& v) -> virtual_world::Task { co_await v.lock(0); });
    co_await w.event();
    co_await w.unlock(0);
    co_await w.join(t);
  };
  EXPECT_EQ(steps_of(program, true), 6u);  // start | after event unlock | lock exit | alone
}

TEST(Hold, ZeroIsAskedAtEveryPoint) {
  Asked policy(0);
  const virtual_world::VirtualResult r = virtual_world::run_virtual(main_first, policy);
  EXPECT_EQ(r.steps, 10u);  // after, 5 events | start, 2 events, exit
  EXPECT_EQ(policy.asked, (std::vector<Step>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(policy.children, std::vector<ThreadId>{1});
  EXPECT_EQ(policy.at.front(), OpKind::kAfter);
  EXPECT_EQ(policy.did.front(), OpKind::kCreate);
  EXPECT_EQ(policy.at[6], OpKind::kJoin);
}

// After the chosen step, `hold` further ones without a question; blocking ends the hold.
TEST(Hold, IsKeptExactly) {
  Asked two(2);
  virtual_world::run_virtual(main_first, two);
  EXPECT_EQ(two.asked, (std::vector<Step>{0, 3, 6, 9}));
  Asked three(3);
  virtual_world::run_virtual(main_first, three);
  EXPECT_EQ(three.asked, (std::vector<Step>{0, 4, 6}));  // at 6 main blocks in its join
  Asked endless(~Step{0});
  virtual_world::run_virtual(main_first, endless);
  EXPECT_EQ(endless.asked, (std::vector<Step>{0, 6}));
}

// First thread 1 for a step, then main with an endless hold.
class UntilBlocked final : public policy::Policy {
 public:
  bool begin(const Run&, Arena&, policy::Plan&) override { return false; }
  void decide(const policy::View& view, policy::Verdict& verdict) override {
    asked.push_back(view.step);
    verdict.first = view.step == 0 ? ThreadId{1} : kMainThread;
    if (!view.enabled.has(verdict.first)) verdict.first = view.enabled.first();
    verdict.hold = view.step == 0 ? 0 : ~Step{0};
    verdict.unless_any = unless_any;
    if (watch) verdict.unless.add(1);
  }
  bool unless_any = true;
  bool watch = false;
  std::vector<Step> asked;
};

// Main, event by event, unlocks what the other waits for: that ends a hold unless it is told otherwise.
TEST(Hold, EndsWhenAThreadBecomesEnabled) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.lock(0);
    co_await w.create([](virtual_world::World& v) -> virtual_world::Task { co_await v.lock(0); });
    co_await w.join(99);  // fails at once: a point
    co_await w.unlock(0);
    co_await w.event();
    co_await w.event();
  };
  UntilBlocked any;  // start | after join unlock -> the other is enabled
  virtual_world::run_virtual(program, any);
  EXPECT_EQ(any.asked, (std::vector<Step>{0, 1, 4}));
  UntilBlocked none;
  none.unless_any = false;
  virtual_world::run_virtual(program, none);
  EXPECT_EQ(none.asked, (std::vector<Step>{0, 1}));
  UntilBlocked watched;
  watched.unless_any = false;
  watched.watch = true;
  virtual_world::run_virtual(program, watched);
  EXPECT_EQ(watched.asked, (std::vector<Step>{0, 1, 4}));
}

// Spec: at every point each enabled thread is equally likely. Three threads of independent
// events; the choice at each of the first points, given that all three could be chosen.
TEST(Random, ChoosesUniformlyAtEveryPoint) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    for (int t = 1; t <= 2; ++t)
      co_await w.create([t](virtual_world::World& v) -> virtual_world::Task {
        for (int i = 0; i < 8; ++i) co_await v.event(), v.note(t);
      });
    for (int i = 0; i < 8; ++i) co_await w.event(), w.note(0);
  };
  uint64_t triples[27] = {};
  for (uint64_t i = 0; i < 100'000; ++i) {
    const virtual_world::VirtualResult r =
        virtual_world::run_virtual(program, virtual_world::virtual_run("random", 0, 1, i, 3, 40));
    int seen[3] = {};  // from where all three are in their loops, if all three stay there for three more notes
    size_t from = 0;
    while (from < r.trace.size() && !(seen[0] && seen[1] && seen[2])) ++seen[r.trace[from++]];
    if (seen[0] > 5 || seen[1] > 5 || seen[2] > 5) continue;
    ++triples[r.trace[from] * 9 + r.trace[from + 1] * 3 + r.trace[from + 2]];
  }
  EXPECT_GT(uniform_tail(triples), kByLuck);
}

}  // namespace
}  // namespace snarl
