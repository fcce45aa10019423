// Enabledness across objects: locks, condition waits, once; what is gained and what is lost.
#include "model/model.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "model/model_driver.h"

namespace snarl::model {
namespace {

constexpr uint64_t kM = 1, kC = 2;

TEST(Model, UnlockEnablesAllWhoWaitAndTheFirstDisablesTheOthers) {
  ModelDriver d;
  const ThreadId a = d.start();
  const ThreadId b = d.start();
  d.go(kMainThread, OpKind::kLock, kM);
  EXPECT_FALSE(d.arrive(a, OpKind::kLock, kM));
  EXPECT_FALSE(d.arrive(b, OpKind::kLock, kM));
  d.model->forget_gained();
  d.go(kMainThread, OpKind::kUnlock, kM);
  EXPECT_EQ(d.model->gained().size(), 2);
  EXPECT_EQ(d.model->perform(a), 0);
  EXPECT_FALSE(d.is_enabled(b));
  EXPECT_FALSE(d.model->gained().has(b)) << "it has lost again what it gained";
}

// wait (release and enqueue) and reacquire (woken and free), both halves.
TEST(Model, ReacquireNeedsATokenAndTheMutex) {
  ModelDriver d;
  const ThreadId a = d.start();
  d.go(a, OpKind::kLock, kM);
  EXPECT_FALSE(d.arrive(kMainThread, OpKind::kLock, kM));
  EXPECT_EQ(d.go(a, OpKind::kWait, kC, MutexKind::kNormal, kM), 0);
  EXPECT_TRUE(d.is_enabled(kMainThread)) << "the wait has released the mutex";
  EXPECT_FALSE(d.arrive(a, OpKind::kReacquire, kC, MutexKind::kNormal, kM));
  d.model->perform(kMainThread);
  d.go(kMainThread, OpKind::kSignal, kC);
  EXPECT_FALSE(d.is_enabled(a)) << "woken, but the mutex is held";
  d.go(kMainThread, OpKind::kUnlock, kM);
  EXPECT_TRUE(d.is_enabled(a));
  EXPECT_EQ(d.model->perform(a), 0);
  EXPECT_EQ(d.model->owner(kM), a);
}

TEST(Model, OneSignalEnablesAllWaitersAndWakesOne) {
  ModelDriver d;
  const ThreadId a = d.start();
  const ThreadId b = d.start();
  for (ThreadId t : {a, b}) {
    d.go(t, OpKind::kLock, kM);
    d.go(t, OpKind::kWait, kC, MutexKind::kNormal, kM);
    d.arrive(t, OpKind::kReacquire, kC, MutexKind::kNormal, kM);
  }
  d.go(kMainThread, OpKind::kSignal, kC);
  EXPECT_TRUE(d.is_enabled(a) && d.is_enabled(b));
  d.model->perform(b);  // the scheduler's choice
  d.go(b, OpKind::kUnlock, kM);
  EXPECT_FALSE(d.is_enabled(a)) << "the token is taken";
  d.go(kMainThread, OpKind::kBroadcast, kC);
  EXPECT_TRUE(d.is_enabled(a));
}

TEST(Model, WaitWithoutTheMutex) {
  ModelDriver d;
  EXPECT_EQ(d.go(kMainThread, OpKind::kWait, kC, MutexKind::kErrorCheck, kM), EPERM);
  EXPECT_EQ(d.go(kMainThread, OpKind::kWait, kC, MutexKind::kRecursive, kM), EPERM);
  EXPECT_EQ(d.go(kMainThread, OpKind::kSignal, kC), 0);
  d.start();
  EXPECT_EQ(d.model->enabled().size(), 2);
}

// glibc gives back one level, waits, and takes one level again: the owner never blocks itself.
TEST(Model, WaitWithARecursiveMutexLockedTwice) {
  ModelDriver d;
  constexpr MutexKind kRecursive = MutexKind::kRecursive;
  const ThreadId a = d.start();
  d.go(a, OpKind::kLock, kM, kRecursive);
  d.go(a, OpKind::kLock, kM, kRecursive);
  EXPECT_EQ(d.go(a, OpKind::kWait, kC, kRecursive, kM), 0);
  EXPECT_FALSE(d.arrive(a, OpKind::kReacquire, kC, kRecursive, kM));
  EXPECT_EQ(d.go(kMainThread, OpKind::kTryLock, kM, kRecursive), EBUSY);
  d.go(kMainThread, OpKind::kSignal, kC);
  ASSERT_TRUE(d.is_enabled(a)) << "a false deadlock";
  EXPECT_EQ(d.model->perform(a), 0);
  EXPECT_EQ(d.go(a, OpKind::kUnlock, kM, kRecursive), 0);
  EXPECT_EQ(d.go(kMainThread, OpKind::kTryLock, kM, kRecursive), EBUSY);
  EXPECT_EQ(d.go(a, OpKind::kUnlock, kM, kRecursive), 0);
  EXPECT_EQ(d.go(kMainThread, OpKind::kTryLock, kM, kRecursive), 0);
}

TEST(Model, TwoConditionVariablesWithOneMutex) {
  ModelDriver d;
  const ThreadId a = d.start();
  d.go(a, OpKind::kLock, kM);
  d.go(a, OpKind::kWait, kC, MutexKind::kNormal, kM);
  d.arrive(a, OpKind::kReacquire, kC, MutexKind::kNormal, kM);
  d.go(kMainThread, OpKind::kBroadcast, kC + 1);
  EXPECT_FALSE(d.is_enabled(a));
  d.go(kMainThread, OpKind::kBroadcast, kC);
  EXPECT_TRUE(d.is_enabled(a));
}

TEST(Model, OnceRunsAloneAndTheOthersWait) {
  ModelDriver d;
  const ThreadId a = d.start();
  EXPECT_EQ(d.go(a, OpKind::kOnce, 9), kOnceRun);
  EXPECT_FALSE(d.arrive(kMainThread, OpKind::kOnce, 9));
  d.model->finish_once(kMainThread, 9);  // not the runner: no effect
  EXPECT_FALSE(d.is_enabled(kMainThread));
  d.model->finish_once(a, 9);
  EXPECT_TRUE(d.is_enabled(kMainThread));
}

TEST(Model, InitForgetsALockedMutexAndAdoptTakesOver) {
  ModelDriver d;
  const ThreadId a = d.start();
  d.go(a, OpKind::kLock, kM);
  EXPECT_FALSE(d.arrive(kMainThread, OpKind::kLock, kM));
  d.go(a, OpKind::kMutexInit, kM);
  EXPECT_TRUE(d.is_enabled(kMainThread));
  d.model->adopt_mutex(kM, a);
  EXPECT_FALSE(d.is_enabled(kMainThread));
  d.model->adopt_mutex(kM, kMainThread);  // it has an owner: no effect
  EXPECT_EQ(d.model->owner(kM), a);
  d.model->forget_mutex(kM);
  EXPECT_TRUE(d.is_enabled(kMainThread));
}

TEST(Model, DestroyingAHeldMutexIsRefused) {
  ModelDriver d;
  const ThreadId a = d.start();
  d.go(a, OpKind::kLock, kM);
  EXPECT_EQ(d.go(kMainThread, OpKind::kMutexDestroy, kM), EBUSY);
  EXPECT_EQ(d.model->owner(kM), a);
  d.go(a, OpKind::kUnlock, kM);
  EXPECT_EQ(d.go(kMainThread, OpKind::kMutexDestroy, kM), 0);
}

}  // namespace
}  // namespace snarl::model
