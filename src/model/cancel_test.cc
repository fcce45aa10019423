// Cancellation: which thread becomes enabled when it is asked to end, and what its operation leaves behind.
#include <gtest/gtest.h>

#include <cerrno>

#include "model/model_driver.h"

namespace snarl::model {
namespace {

constexpr uint64_t kC = 1, kM = 2, kS = 3;

class Cancel : public testing::Test {
 protected:
  void publish(ThreadId t, Op op) {
    op.traits |= kCancellable;
    d.model->publish(t, op);
  }
  void wait(ThreadId t, bool cancellable = true) {
    d.go(t, OpKind::kLock, kM);
    d.go(t, OpKind::kWait, kC, MutexKind::kNormal, kM);
    d.model->publish(
        t,
        Op{.kind = OpKind::kReacquire, .traits = cancellable ? kCancellable : uint8_t{0}, .object = kC, .second = kM});
  }
  int cancel(ThreadId t) { return d.step(kMainThread, OpKind::kCancel, t); }

  ModelDriver d;
  ThreadId a = d.start(), b = d.start();
};

TEST_F(Cancel, EnablesWhatWaitsAtACancellationPoint) {
  publish(a, Op{.kind = OpKind::kSemWait, .object = kS});
  EXPECT_FALSE(d.is_enabled(a));
  EXPECT_EQ(cancel(a), 0);
  ASSERT_TRUE(d.is_enabled(a));
  EXPECT_EQ(d.model->perform(a), ECANCELED);
}

TEST_F(Cancel, LeavesAloneWhatIsNone) {
  d.go(b, OpKind::kLock, kM);
  EXPECT_FALSE(d.arrive(a, OpKind::kLock, kM));
  cancel(a);
  EXPECT_FALSE(d.is_enabled(a));
  d.go(b, OpKind::kUnlock, kM);
  EXPECT_EQ(d.model->perform(a), 0);
}

TEST_F(Cancel, ActsAtTheNextCancellationPointAndNotOnWhatItWouldTake) {
  cancel(a);
  publish(a, Op{.kind = OpKind::kSemWait, .object = kS, .value = 1});
  EXPECT_EQ(d.model->perform(a), ECANCELED);
  EXPECT_EQ(d.go(b, OpKind::kSemPost, kS), 0);
  publish(a, Op{.kind = OpKind::kTestCancel});
  EXPECT_EQ(d.model->perform(a), ECANCELED);
}

TEST_F(Cancel, ACancelledWaiterTakesTheMutexFirst) {
  wait(a);
  d.go(b, OpKind::kLock, kM);
  cancel(a);
  EXPECT_FALSE(d.is_enabled(a)) << "the mutex is taken";
  d.go(b, OpKind::kUnlock, kM);
  ASSERT_TRUE(d.is_enabled(a));
  EXPECT_EQ(d.model->perform(a), ECANCELED);
  EXPECT_EQ(d.model->owner(kM), a);
}

TEST_F(Cancel, ACancelledWaiterLeavesTheSignalToTheOther) {
  wait(a);
  wait(b, false);
  d.go(kMainThread, OpKind::kSignal, kC);
  cancel(a);
  EXPECT_EQ(d.model->perform(a), ECANCELED);
  d.go(a, OpKind::kUnlock, kM);
  ASSERT_TRUE(d.is_enabled(b));
  EXPECT_EQ(d.model->perform(b), 0);
}

TEST_F(Cancel, WhoTimedOutIsNotCancelled) {
  d.go(a, OpKind::kLock, kM);
  d.go(a, OpKind::kWait, kC, MutexKind::kNormal, kM);
  publish(a, Op{.kind = OpKind::kReacquire, .timed = true, .object = kC, .second = kM, .deadline = 5});
  d.model->perform(timer_of(a));
  cancel(a);
  EXPECT_EQ(d.model->perform(a), ETIMEDOUT);
}

TEST_F(Cancel, ACancelledSleepNeedsNoTime) {
  publish(a, Op{.kind = OpKind::kSleep, .timed = true, .deadline = 1'000'000});
  cancel(a);
  EXPECT_EQ(d.model->perform(a), ECANCELED);
  EXPECT_LT(d.model->now(), 1'000'000u);
  EXPECT_FALSE(d.model->enabled().has(timer_of(a)));
}

TEST_F(Cancel, AThreadWhoseJoinerWasCancelledCanBeJoinedByAnother) {
  publish(a, Op{.kind = OpKind::kJoin, .thread = b});
  cancel(a);
  EXPECT_EQ(d.model->perform(a), ECANCELED);
  EXPECT_FALSE(d.arrive_on(kMainThread, OpKind::kJoin, b));
  d.exit(b);
  EXPECT_EQ(d.model->perform(kMainThread), 0);
}

TEST_F(Cancel, AJoinThatCanReturnDoes) {
  d.exit(b);
  cancel(a);
  publish(a, Op{.kind = OpKind::kJoin, .thread = b});
  EXPECT_EQ(d.model->perform(a), 0);
}

TEST_F(Cancel, OfAThreadThatIsGone) {
  d.exit(a);
  EXPECT_EQ(cancel(a), 0) << "not yet joined: its handle is good";
  d.step(kMainThread, OpKind::kJoin, a);
  EXPECT_EQ(cancel(a), ESRCH);
  const ThreadId next = d.start();
  ASSERT_EQ(next, a);
  EXPECT_FALSE(d.model->is_asked_to_end(next)) << "its slot goes to another thread, who was not asked";
}

TEST_F(Cancel, OfItself) {
  EXPECT_EQ(d.step(a, OpKind::kCancel, a), 0);
  publish(a, Op{.kind = OpKind::kTestCancel});
  EXPECT_EQ(d.model->perform(a), ECANCELED);
}

TEST(TryJoin, SucceedsOnlyWhenTheThreadHasEnded) {
  ModelDriver d;
  const ThreadId a = d.start();
  EXPECT_EQ(d.step(kMainThread, OpKind::kTryJoin, a), EBUSY);
  EXPECT_EQ(d.step(kMainThread, OpKind::kTryJoin, kMainThread), EBUSY);
  d.exit(a);
  EXPECT_EQ(d.step(kMainThread, OpKind::kTryJoin, a), 0);
  EXPECT_EQ(d.start(), a) << "its slot is free";
}

TEST(RobustMutex, IsPassedOnByAThreadThatEnds) {
  constexpr Op kLockRobust{.kind = OpKind::kLock, .traits = kRobust | kChecksOwner, .object = kM};
  ModelDriver d;
  const ThreadId a = d.start(), b = d.start(), c = d.start();
  d.model->publish(a, kLockRobust);
  d.model->perform(a);
  d.model->publish(b, kLockRobust);
  d.model->publish(c, kLockRobust);
  EXPECT_FALSE(d.is_enabled(b));
  d.exit(a);
  ASSERT_TRUE(d.is_enabled(b) && d.is_enabled(c));
  EXPECT_EQ(d.model->perform(b), EOWNERDEAD);
  EXPECT_FALSE(d.is_enabled(c));
  d.model->publish(b, Op{.kind = OpKind::kUnlock, .traits = kRobust | kChecksOwner, .object = kM});
  d.model->perform(b);
  EXPECT_EQ(d.model->perform(c), ENOTRECOVERABLE);
  EXPECT_EQ(d.model->owner(kM), kNoThread);
}

}  // namespace
}  // namespace snarl::model
