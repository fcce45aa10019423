// Every kind of misuse that the model can see, and next to each the legal use that looks like it.
#include <gtest/gtest.h>

#include <cerrno>

#include "model/model_driver.h"

namespace snarl::model {
namespace {

constexpr uint64_t kMutex = 100, kOther = 140, kCondition = 200, kThing = 300;

class MisuseTest : public testing::Test {
 protected:
  MisuseTest() {
    d.model->watch_misuse(true);
    a = d.start();
    b = d.start();
  }
  MisuseKind after(ThreadId t, OpKind kind, uint64_t object, MutexKind mutex = MutexKind::kNormal,
                   uint64_t second = 0) {
    last = d.go(t, kind, object, mutex, second);
    return last == ModelDriver::kBlocks ? MisuseKind::kNone : d.model->misuse().kind;
  }
  MisuseKind after_on(ThreadId t, OpKind kind, ThreadId other) {
    last = d.step(t, kind, other);
    return last == ModelDriver::kBlocks ? MisuseKind::kNone : d.model->misuse().kind;
  }
  // First half of a wait; the second is then pending.
  MisuseKind wait(ThreadId t, uint64_t condition, uint64_t mutex) {
    const MisuseKind kind = after(t, OpKind::kWait, condition, MutexKind::kNormal, mutex);
    d.arrive(t, OpKind::kReacquire, condition, MutexKind::kNormal, mutex);
    return kind;
  }

  ModelDriver d;
  ThreadId a = 0, b = 0;
  int last = 0;
};

TEST_F(MisuseTest, UnlockOfSomebodyElsesMutex) {
  EXPECT_EQ(after(a, OpKind::kLock, kMutex), MisuseKind::kNone);
  EXPECT_EQ(after(b, OpKind::kUnlock, kMutex), MisuseKind::kUnlockNotOwner);
  EXPECT_EQ(d.model->misuse().other, 1u);
  EXPECT_EQ(d.model->misuse().thread, 2u);
  EXPECT_EQ(d.model->misuse().other_pc, kMutex);
  EXPECT_EQ(d.model->misuse().other_op, OpKind::kLock);
  EXPECT_EQ(after(a, OpKind::kUnlock, kMutex), MisuseKind::kUnlockNotLocked) << "the first one did unlock it";
}

TEST_F(MisuseTest, AnErrorThatPosixPromisesIsNone) {
  for (MutexKind kind : {MutexKind::kErrorCheck, MutexKind::kRecursive}) {
    EXPECT_EQ(after(b, OpKind::kUnlock, kMutex, kind), MisuseKind::kNone);
    EXPECT_EQ(last, EPERM);
    EXPECT_EQ(after(a, OpKind::kLock, kMutex, kind), MisuseKind::kNone);
    EXPECT_EQ(after(b, OpKind::kUnlock, kMutex, kind), MisuseKind::kNone);
    EXPECT_EQ(last, EPERM);
    EXPECT_EQ(after(a, OpKind::kUnlock, kMutex, kind), MisuseKind::kNone);
  }
}

TEST_F(MisuseTest, AnEndedThreadsMutexIsNotTheUnlockers) {
  after(a, OpKind::kLock, kMutex);
  d.exit(a);
  EXPECT_EQ(after(b, OpKind::kUnlock, kMutex), MisuseKind::kUnlockNotOwner);
  EXPECT_EQ(d.model->misuse().other, 1u);
}

TEST_F(MisuseTest, ReadWriteLocks) {
  EXPECT_EQ(after(a, OpKind::kRwUnlock, kThing), MisuseKind::kUnlockNotLocked);
  after(a, OpKind::kReadLock, kThing);
  after(a, OpKind::kReadLock, kThing);
  EXPECT_EQ(after(b, OpKind::kRwUnlock, kThing), MisuseKind::kUnlockNotOwner);
  EXPECT_EQ(after(a, OpKind::kRwUnlock, kThing), MisuseKind::kNone);
  after(a, OpKind::kWriteLock, kThing);
  EXPECT_EQ(after(b, OpKind::kRwUnlock, kThing), MisuseKind::kUnlockNotOwner);
  EXPECT_EQ(d.model->misuse().other_op, OpKind::kWriteLock);
}

TEST_F(MisuseTest, MoreReadersThanAreKnownMayAllUnlock) {
  std::vector<ThreadId> readers;
  for (int i = 0; i < 8; ++i) readers.push_back(d.start());
  for (ThreadId t : readers) after(t, OpKind::kReadLock, kThing);
  for (ThreadId t : readers) EXPECT_EQ(after(t, OpKind::kRwUnlock, kThing), MisuseKind::kNone);
  EXPECT_EQ(after(a, OpKind::kRwUnlock, kThing), MisuseKind::kUnlockNotLocked);
}

TEST_F(MisuseTest, WaitWithoutTheMutex) {
  EXPECT_EQ(after(a, OpKind::kWait, kCondition, MutexKind::kNormal, kMutex), MisuseKind::kWaitNotOwner);
  after(a, OpKind::kReacquire, kCondition, MutexKind::kNormal, kMutex);
  after(b, OpKind::kLock, kOther);
  EXPECT_EQ(after(d.start(), OpKind::kWait, kCondition + 1, MutexKind::kNormal, kOther), MisuseKind::kWaitNotOwner);
  EXPECT_EQ(d.model->misuse().other, 2u);
}

TEST_F(MisuseTest, DestroyOfALockedOne) {
  after(a, OpKind::kLock, kMutex);
  EXPECT_EQ(after(b, OpKind::kMutexDestroy, kMutex), MisuseKind::kDestroyLocked);
  EXPECT_EQ(last, EBUSY);
  EXPECT_EQ(after(a, OpKind::kUnlock, kMutex), MisuseKind::kNone) << "it was not destroyed";
  EXPECT_EQ(after(b, OpKind::kMutexDestroy, kMutex), MisuseKind::kNone) << "right after the unlock";
  after(a, OpKind::kReadLock, kThing);
  EXPECT_EQ(after(b, OpKind::kRwDestroy, kThing), MisuseKind::kDestroyLocked);
}

TEST_F(MisuseTest, DestroyOfAConditionVariable) {
  after(a, OpKind::kLock, kMutex);
  EXPECT_EQ(wait(a, kCondition, kMutex), MisuseKind::kNone);
  EXPECT_EQ(after(b, OpKind::kMutexDestroy, kMutex), MisuseKind::kDestroyWaited);
  EXPECT_EQ(after(b, OpKind::kCondDestroy, kCondition), MisuseKind::kDestroyWaited);
  EXPECT_EQ(d.model->misuse().other, 1u);
}

TEST_F(MisuseTest, AConditionVariableMayBeDestroyedOnceAllAreWoken) {
  after(a, OpKind::kLock, kMutex);
  wait(a, kCondition, kMutex);
  after(b, OpKind::kBroadcast, kCondition);
  EXPECT_EQ(after(b, OpKind::kCondDestroy, kCondition), MisuseKind::kNone);
  EXPECT_EQ(d.model->perform(a), 0) << "it returns from its wait";
  EXPECT_EQ(d.model->misuse().kind, MisuseKind::kNone);
}

TEST_F(MisuseTest, DestroyOfASemaphoreOrBarrierWithWaiters) {
  EXPECT_FALSE(d.arrive(a, OpKind::kSemWait, kThing));
  EXPECT_EQ(after(b, OpKind::kSemDestroy, kThing), MisuseKind::kDestroyWaited);
  const ThreadId c = d.start();
  d.model->publish(c, Op{.kind = OpKind::kBarrierWait, .object = kOther, .value = 2});
  d.model->perform(c);
  d.model->publish(c, Op{.kind = OpKind::kBarrierPass, .object = kOther, .value = 2});
  EXPECT_EQ(after(b, OpKind::kBarrierDestroy, kOther), MisuseKind::kDestroyWaited);
}

TEST_F(MisuseTest, ABarrierMayBeDestroyedWhenItsRoundIsComplete) {
  for (ThreadId t : {a, b}) {
    d.model->publish(t, Op{.kind = OpKind::kBarrierWait, .object = kThing, .value = 2});
    d.model->perform(t);
    if (t == a) d.model->publish(t, Op{.kind = OpKind::kBarrierPass, .object = kThing, .value = 2});
  }
  EXPECT_EQ(after(b, OpKind::kBarrierDestroy, kThing), MisuseKind::kNone);
  EXPECT_EQ(d.model->perform(a), 0);
  EXPECT_EQ(d.model->misuse().kind, MisuseKind::kNone);
}

TEST_F(MisuseTest, UseAfterDestroy) {
  after(a, OpKind::kMutexDestroy, kMutex);
  EXPECT_EQ(after(b, OpKind::kLock, kMutex), MisuseKind::kUseAfterDestroy);
  EXPECT_EQ(d.model->misuse().other, 1u);
  EXPECT_EQ(d.model->misuse().other_op, OpKind::kMutexDestroy);
  after(a, OpKind::kCondDestroy, kCondition);
  EXPECT_EQ(after(b, OpKind::kSignal, kCondition), MisuseKind::kUseAfterDestroy);
  EXPECT_EQ(after(b, OpKind::kCondDestroy, kCondition), MisuseKind::kUseAfterDestroy) << "a second time";
}

TEST_F(MisuseTest, UseAfterFree) {
  d.model->note_freed(a, kMutex, 77);
  EXPECT_EQ(after(b, OpKind::kLock, kMutex), MisuseKind::kUseAfterFree);
  EXPECT_EQ(d.model->misuse().other, 1u);
  EXPECT_EQ(d.model->misuse().other_op, OpKind::kFree);
  EXPECT_EQ(d.model->misuse().other_pc, 77u);
  d.model->note_freed(a, kThing, 78);
  EXPECT_EQ(after(b, OpKind::kSemPost, kThing), MisuseKind::kUseAfterFree) << "of whatever kind it is";
  d.model->note_freed(a, kOther, 79);
  EXPECT_EQ(after(b, OpKind::kSemInit, kOther), MisuseKind::kNone);
  EXPECT_EQ(after(b, OpKind::kSemPost, kOther), MisuseKind::kNone) << "a new one";
}

TEST_F(MisuseTest, WhoeverWaitsForAFreedMutexGetsThere) {
  after(a, OpKind::kLock, kMutex);
  EXPECT_FALSE(d.arrive(b, OpKind::kLock, kMutex));
  d.model->note_freed(a, kMutex, 77);
  EXPECT_TRUE(d.model->enabled().has(b));
  d.model->perform(b);
  EXPECT_EQ(d.model->misuse().kind, MisuseKind::kUseAfterFree);
}

TEST_F(MisuseTest, AConditionWaitEndsWithAFreedMutex) {
  after(a, OpKind::kLock, kMutex);
  d.model->publish(a, Op{.kind = OpKind::kWait, .object = kCondition, .second = kMutex});
  d.model->perform(a);
  d.model->publish(a, Op{.kind = OpKind::kReacquire, .object = kCondition, .second = kMutex});
  after(b, OpKind::kSignal, kCondition);
  d.model->note_freed(b, kMutex, 77);
  d.model->perform(a);
  EXPECT_EQ(d.model->misuse().kind, MisuseKind::kUseAfterFree);
  EXPECT_EQ(d.model->misuse().object, kMutex);
}

// The table outlives a run, as the process does in library mode: what was freed in one run was not in the next.
TEST_F(MisuseTest, ARunKnowsNothingOfTheLast) {
  d.model->note_freed(a, kMutex, 77);
  d.model->begin(Sleeps::kLast);
  d.model->watch_misuse(true);
  EXPECT_EQ(d.model->destroyed(kMutex), nullptr);
}

TEST_F(MisuseTest, WhoeverTimedOutBeforeTheDestroyOnlyReturns) {
  d.model->publish(a, Op{.kind = OpKind::kSemWait, .timed = true, .object = kThing, .deadline = 5});
  d.model->perform(timer_of(a));
  EXPECT_EQ(after(b, OpKind::kSemDestroy, kThing), MisuseKind::kNone);
  EXPECT_EQ(d.model->perform(a), ETIMEDOUT);
  EXPECT_EQ(d.model->misuse().kind, MisuseKind::kNone);
}

TEST_F(MisuseTest, MemoryIsUsedAgain) {
  after(a, OpKind::kMutexDestroy, kMutex);
  after(a, OpKind::kMutexInit, kMutex);
  EXPECT_EQ(after(b, OpKind::kLock, kMutex), MisuseKind::kNone);
  after(a, OpKind::kCondDestroy, kThing);
  EXPECT_EQ(after(b, OpKind::kSemPost, kThing), MisuseKind::kNone) << "as something else";
  after(a, OpKind::kRwDestroy, kOther);
  d.model->forget_destroyed(kOther);
  EXPECT_EQ(after(b, OpKind::kReadLock, kOther), MisuseKind::kNone) << "the object itself said so";
}

TEST_F(MisuseTest, TwoMutexesAtOneConditionVariable) {
  const ThreadId c = d.start();
  after(a, OpKind::kLock, kMutex);
  after(b, OpKind::kLock, kOther);
  EXPECT_EQ(wait(a, kCondition, kMutex), MisuseKind::kNone);
  EXPECT_EQ(wait(b, kCondition, kOther), MisuseKind::kCondvarTwoMutexes);
  EXPECT_EQ(d.model->misuse().kind, MisuseKind::kCondvarTwoMutexes);
  after(c, OpKind::kBroadcast, kCondition);
  after(c, OpKind::kLock, kThing);
  EXPECT_EQ(wait(c, kCondition, kThing), MisuseKind::kNone) << "nobody is blocked on it any more";
}

TEST_F(MisuseTest, Joins) {
  const ThreadId detached = d.start(kMainThread, true);
  EXPECT_EQ(after_on(a, OpKind::kJoin, a), MisuseKind::kJoinSelf);
  EXPECT_EQ(after_on(a, OpKind::kJoin, detached), MisuseKind::kJoinDetached);
  EXPECT_EQ(after_on(a, OpKind::kJoin, 77), MisuseKind::kNone);
  EXPECT_EQ(after_on(kMainThread, OpKind::kJoin, b), MisuseKind::kNone);
  EXPECT_EQ(after_on(a, OpKind::kJoin, b), MisuseKind::kJoinTwice) << "main is joining it";
  d.exit(b);
  EXPECT_EQ(d.model->perform(kMainThread), 0);
  EXPECT_EQ(d.model->misuse().kind, MisuseKind::kNone);
  EXPECT_EQ(after_on(a, OpKind::kJoin, b), MisuseKind::kJoinTwice) << "main has joined it";
  EXPECT_EQ(last, ESRCH);
  after_on(kMainThread, OpKind::kDetach, a);
  EXPECT_EQ(after_on(kMainThread, OpKind::kJoin, a), MisuseKind::kJoinDetached);
  EXPECT_EQ(d.model->misuse().other_op, OpKind::kDetach);
}

TEST_F(MisuseTest, NotLookedForUnlessAsked) {
  d.model->watch_misuse(false);
  EXPECT_EQ(after(a, OpKind::kUnlock, kMutex), MisuseKind::kNone);
}

}  // namespace
}  // namespace snarl::model
