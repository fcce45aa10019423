// Threads that wait alike are enabled and disabled together. The witness: recursive mutexes, whose waiters are looked
// at one by one, and which are the same as normal ones as long as nobody takes one twice.
#include <gtest/gtest.h>

#include <cerrno>
#include <vector>

#include "base/rng.h"
#include "model/model_driver.h"

namespace snarl::model {
namespace {

constexpr int kThreads = 150;  // three words of a set
constexpr uint64_t kMutexes[] = {8, 16}, kConditions[] = {24, 32};
constexpr int kNone = -1;

std::vector<ThreadId> members(const ThreadSet& set) {
  std::vector<ThreadId> all;
  set.for_each([&](ThreadId t) { all.push_back(t); });
  return all;
}

// The same random program on both kinds.
class Twins {
 public:
  explicit Twins(uint64_t seed) : rng_(seed), states_(kThreads + 1) {
    for (int i = 0; i < kThreads; ++i) alike_.start(), apart_.start();
    for (ThreadId t = 0; t <= kThreads; ++t) arrive(t, any_op(t));
  }

  // False: no thread can go on.
  bool step() {
    const ThreadSet& enabled = alike_.model->enabled();
    if (enabled.empty()) return false;
    disturb();
    const ThreadId t = enabled.nth(static_cast<int>(rng_.below(static_cast<uint64_t>(enabled.size()))));
    perform(t);
    return true;
  }

  void expect_same() const {
    ASSERT_EQ(members(alike_.model->enabled()), members(apart_.model->enabled()));
    ASSERT_EQ(members(alike_.model->gained()), members(apart_.model->gained()));
  }
  void forget_gained() { alike_.model->forget_gained(), apart_.model->forget_gained(); }

 private:
  struct State {
    int holds = kNone;  // which mutex
    Op op;
  };

  static Op for_mutex(OpKind kind, int mutex) { return Op{.kind = kind, .object = kMutexes[mutex]}; }

  Op any_op(ThreadId t) {
    const int mutex = static_cast<int>(rng_.below(2));
    const int holds = states_[t].holds;
    switch (rng_.below(8)) {
      case 0: return Op{.kind = OpKind::kSignal, .object = kConditions[mutex]};
      case 1: return Op{.kind = OpKind::kBroadcast, .object = kConditions[mutex]};
      default: break;
    }
    if (holds == kNone) {
      Op op = for_mutex(OpKind::kLock, mutex);
      if (rng_.below(8) == 0) op.timed = true, op.deadline = 1'000'000;
      return op;
    }
    if (rng_.below(2) == 0) return for_mutex(OpKind::kUnlock, holds);
    return Op{.kind = OpKind::kWait, .object = kConditions[holds], .second = kMutexes[holds]};
  }

  void arrive(ThreadId t, Op op) {
    states_[t].op = op;
    op.mutex = MutexKind::kNormal;
    ASSERT_TRUE(alike_.model->publish(t, op));
    op.mutex = MutexKind::kRecursive;
    ASSERT_TRUE(apart_.model->publish(t, op));
  }

  // Now and then a signal comes to a thread, or a request to end.
  void disturb() {
    const auto t = static_cast<ThreadId>(rng_.below(kThreads + 1));
    if (rng_.below(8) == 0) alike_.model->interrupt(t), apart_.model->interrupt(t);
  }

  void perform(ThreadId t) {
    const int result = alike_.model->perform(t);
    ASSERT_EQ(result, apart_.model->perform(t));
    if (is_timer(t)) return;
    State& state = states_[t];
    if (result == kInterrupted) return resume(t);
    const Op did = state.op;
    if (did.kind == OpKind::kLock && result == 0) state.holds = did.object == kMutexes[0] ? 0 : 1;
    if (did.kind == OpKind::kReacquire) state.holds = did.second == kMutexes[0] ? 0 : 1;
    if (did.kind == OpKind::kUnlock || did.kind == OpKind::kWait) state.holds = kNone;
    arrive(t, did.kind == OpKind::kWait ? reacquire_after(did) : any_op(t));
  }

  void resume(ThreadId t) {
    const auto a = alike_.model->interruption(t), b = apart_.model->interruption(t);
    alike_.model->resume(t, a);
    apart_.model->resume(t, b);
    arrive(t, states_[t].op);
  }

  Op reacquire_after(const Op& wait) {
    Op op = wait;
    op.kind = OpKind::kReacquire;
    if (rng_.below(8) == 0) op.timed = true, op.deadline = 2'000'000;
    return op;
  }

  Rng rng_;
  ModelDriver alike_, apart_;
  std::vector<State> states_;
};

TEST(Waiters, AreEnabledTogetherAsOneByOne) {
  int steps = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Twins twins(seed);
    for (int i = 0; i < 3000 && !testing::Test::HasFatalFailure(); ++i) {
      if (!twins.step()) break;
      ++steps;
      twins.expect_same();
      if (i % 7 == 0) twins.forget_gained();
    }
  }
  EXPECT_GT(steps, 20'000);  // not all of them end in a deadlock at once
}

TEST(Waiters, OfASemaphoreAreEnabledTogether) {
  ModelDriver d;
  std::vector<ThreadId> waiting;
  for (int i = 0; i < kThreads; ++i) waiting.push_back(d.start());
  for (const ThreadId t : waiting) EXPECT_FALSE(d.arrive(t, OpKind::kSemWait, 8));
  d.go(kMainThread, OpKind::kSemPost, 8);
  for (const ThreadId t : waiting) EXPECT_TRUE(d.is_enabled(t));
  EXPECT_EQ(members(d.model->gained()).size(), waiting.size());
  d.model->perform(waiting.back());
  waiting.pop_back();
  for (const ThreadId t : waiting) EXPECT_FALSE(d.is_enabled(t));
}

// One that is cancelled does not take the others with it.
TEST(Waiters, OneIsCancelled) {
  ModelDriver d;
  const ThreadId a = d.start(), b = d.start();
  for (const ThreadId t : {a, b})
    d.model->publish(t, Op{.kind = OpKind::kSemWait, .traits = kCancellable, .object = 8});
  d.step(kMainThread, OpKind::kCancel, b);
  EXPECT_TRUE(d.is_enabled(b));
  EXPECT_FALSE(d.is_enabled(a));
  EXPECT_EQ(d.model->perform(b), ECANCELED);
  EXPECT_FALSE(d.is_enabled(a));
}

// A program may use memory again for something else while a thread still waits for what was there.
TEST(Waiters, OfTwoKindsAtOneAddress) {
  ModelDriver d;
  const ThreadId a = d.start(), b = d.start(), c = d.start();
  d.go(kMainThread, OpKind::kLock, 8);
  EXPECT_FALSE(d.arrive(a, OpKind::kLock, 8));
  EXPECT_FALSE(d.arrive(b, OpKind::kSemWait, 8));
  EXPECT_FALSE(d.arrive(c, OpKind::kLock, 8));
  d.go(kMainThread, OpKind::kUnlock, 8);
  EXPECT_TRUE(d.is_enabled(a) && d.is_enabled(c));
  EXPECT_FALSE(d.is_enabled(b));
  d.go(kMainThread, OpKind::kSemPost, 8);
  EXPECT_TRUE(d.is_enabled(b));
}

}  // namespace
}  // namespace snarl::model
