#include <gtest/gtest.h>

#include <cerrno>

#include "model/model.h"
#include "model/model_driver.h"

namespace snarl::model {
namespace {

constexpr uint64_t kM = 1, kC = 2;

TEST(Signals, AThreadThatCantGoOnTakesTheSignalAndWaitsOn) {
  ModelDriver d;
  const ThreadId a = d.start();
  d.go(kMainThread, OpKind::kLock, kM);
  EXPECT_FALSE(d.arrive(a, OpKind::kLock, kM));
  d.model->interrupt(a);
  ASSERT_TRUE(d.is_enabled(a));
  EXPECT_EQ(d.model->perform(a), kInterrupted);
  EXPECT_FALSE(d.arrive(a, OpKind::kLock, kM)) << "the signal was taken";
  d.go(kMainThread, OpKind::kUnlock, kM);
  EXPECT_TRUE(d.is_enabled(a));
  EXPECT_EQ(d.model->perform(a), 0);
}

TEST(Signals, AnOperationThatCouldBePerformedComesAfterTheHandler) {
  ModelDriver d;
  d.start();
  d.model->interrupt(kMainThread);
  EXPECT_EQ(d.go(kMainThread, OpKind::kLock, kM), kInterrupted);
  EXPECT_EQ(d.model->owner(kM), kNoThread);
  EXPECT_EQ(d.go(kMainThread, OpKind::kLock, kM), 0);
}

TEST(Signals, NoHandlerRunsBeforeTheStartRoutine) {
  ModelDriver d;
  const ThreadId a = d.model->spawn(kMainThread, false, 0);
  d.model->interrupt(a);
  EXPECT_EQ(d.model->perform(a), 0);
  EXPECT_EQ(d.go(a, OpKind::kYield, 0), kInterrupted);
}

// A condition variable is signalled while its waiter is in a handler that waits for something else.
TEST(Signals, AWaiterKeepsItsPlaceInTheQueue) {
  ModelDriver d;
  const ThreadId a = d.start();
  d.go(a, OpKind::kLock, kM);
  d.go(a, OpKind::kWait, kC, MutexKind::kNormal, kM);
  d.arrive(a, OpKind::kReacquire, kC, MutexKind::kNormal, kM);
  d.model->interrupt(a);
  EXPECT_EQ(d.model->perform(a), kInterrupted);
  const Model::Interruption interruption = d.model->interruption(a);
  d.go(kMainThread, OpKind::kSignal, kC);
  d.model->enqueue(a, 77);
  d.model->resume(a, interruption);
  EXPECT_TRUE(d.arrive(a, OpKind::kReacquire, kC, MutexKind::kNormal, kM));
  EXPECT_EQ(d.model->perform(a), 0);
}

TEST(Signals, AFutexWaiterThatGivesUpLeavesItsWakeUpToOthers) {
  ModelDriver d;
  const ThreadId a = d.start(), b = d.start();
  for (ThreadId t : {a, b}) {
    d.model->enqueue(t, kC);
    d.arrive(t, OpKind::kFutexWoken, kC);
  }
  d.model->interrupt(a);
  EXPECT_EQ(d.model->perform(a), kInterrupted);
  d.model->give_up(a, d.model->interruption(a));
  d.arrive(kMainThread, OpKind::kFutexWake, kC);
  d.model->publish(kMainThread, Op{.kind = OpKind::kFutexWake, .object = kC, .value = 1});
  EXPECT_EQ(d.model->perform(kMainThread), 1);
  EXPECT_TRUE(d.is_enabled(b));
}

}  // namespace
}  // namespace snarl::model
