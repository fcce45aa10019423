// What a policy sees: threads are told from timers and alarms.
#include <gtest/gtest.h>

#include "policy/pick.h"
#include "virtual/world.h"

namespace snarl {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;

// Two threads that wait with a deadline while a third works, so that timers are enabled beside threads.
virtual_world::Task timed_waits(virtual_world::World& w) {
  const virtual_world::VirtualProgram waiter = [](virtual_world::World& v) -> virtual_world::Task {
    co_await v.lock(0);
    co_await v.wait_for(1, 0, kMillisecond);
    co_await v.unlock(0);
  };
  const int a = co_await w.create(waiter), b = co_await w.create(waiter);
  w.model().set_alarm(0, w.clock() + kMillisecond, false, false);
  for (int i = 0; i < 20; ++i) co_await w.event();
  co_await w.join(a);
  co_await w.join(b);
}

// Never lets a deadline come while a thread can run; compares what the view says with the slots themselves.
class OnlyThreads final : public policy::Policy {
 public:
  bool begin(const snarl::Run& run, Arena&, policy::Plan&) override {
    rng_ = Rng(run.key.seed, run.key.index, Stream::kPolicy);
    return false;
  }
  void decide(const policy::View& view, policy::Verdict& verdict) override {
    const ThreadSet threads = view.threads(), deadlines = view.deadlines();
    view.enabled.for_each([&](ThreadId t) {
      const bool is_thread = t < kMaxThreads;
      EXPECT_EQ(threads.has(t), is_thread) << t;
      EXPECT_EQ(deadlines.has(t), !is_thread) << t;
      EXPECT_EQ(view.live.has(t), is_thread) << t;
      timers_ += is_timer(t) && !is_alarm(t);
      alarms_ += is_alarm(t);
    });
    EXPECT_EQ(threads.size() + deadlines.size(), view.enabled.size());
    verdict.first = policy::any_of(threads.empty() ? deadlines : threads, rng_);
  }

  int timers() const { return timers_; }
  int alarms() const { return alarms_; }

 private:
  Rng rng_;
  int timers_ = 0, alarms_ = 0;
};

TEST(View, TellsThreadsFromDeadlines) {
  int timers = 0, alarms = 0;
  for (uint64_t i = 0; i < 200; ++i) {
    OnlyThreads policy;
    snarl::Run run;
    run.key.index = i;
    const virtual_world::VirtualResult r = virtual_world::run_virtual(timed_waits, policy, run);
    EXPECT_EQ(r.outcome, OutcomeKind::kOk);
    EXPECT_EQ(r.chosen_deadlines, 0u) << "a deadline came though a thread could run";
    EXPECT_GT(r.timeouts, 0u);
    timers += policy.timers();
    alarms += policy.alarms();
  }
  EXPECT_GT(timers, 200);
  EXPECT_GT(alarms, 200);
}

}  // namespace
}  // namespace snarl
