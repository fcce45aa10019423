// Deadlines: which timer may fire, what its thread then gets, and that nothing of it is left.
#include <gtest/gtest.h>

#include <cerrno>
#include <vector>

#include "model/model_driver.h"

namespace snarl::model {
namespace {

constexpr uint64_t kM = 1, kC = 2, kS = 3;
constexpr uint64_t kNever = ~uint64_t{0};

class Timed : public ModelDriver {
 public:
  explicit Timed(Sleeps sleeps = Sleeps::kLast) { model->begin(sleeps); }

  bool arrive_until(ThreadId t, OpKind kind, uint64_t object, uint64_t deadline, uint64_t second = 0) {
    const Op op{.kind = kind, .timed = true, .object = object, .second = second, .deadline = deadline};
    return model->publish(t, op) && is_enabled(t);
  }
  void sleep(ThreadId t, uint64_t deadline) { arrive_until(t, OpKind::kSleep, 0, deadline); }
  void wait(ThreadId t, uint64_t deadline) {
    go(t, OpKind::kLock, kM);
    go(t, OpKind::kWait, kC, MutexKind::kNormal, kM);
    if (deadline == kNever)
      arrive(t, OpKind::kReacquire, kC, MutexKind::kNormal, kM);
    else
      arrive_until(t, OpKind::kReacquire, kC, deadline, kM);
  }
  bool may_fire(ThreadId t) const { return is_enabled(timer_of(t)); }
  void fire(ThreadId t) { model->perform(timer_of(t)); }
};

TEST(Timers, OnlyTheEarliestMayFireAndTimeDoesNotRunBackwards) {
  Timed d;
  const ThreadId a = d.start(), b = d.start(), c = d.start();
  d.wait(a, 30);
  d.wait(b, 10);
  d.wait(c, 10);
  EXPECT_FALSE(d.may_fire(a));
  EXPECT_TRUE(d.may_fire(b) && d.may_fire(c)) << "at the same time: a choice";
  d.fire(c);
  EXPECT_EQ(d.model->now(), 10u);
  EXPECT_FALSE(d.may_fire(a));
  d.fire(b);
  EXPECT_TRUE(d.may_fire(a));
  d.fire(a);
  EXPECT_EQ(d.model->now(), 30u);
  for (ThreadId t : {a, b, c}) {
    EXPECT_EQ(d.model->perform(t), ETIMEDOUT);
    d.go(t, OpKind::kUnlock, kM);
  }
  d.wait(a, 5);  // in the past
  d.fire(a);
  EXPECT_EQ(d.model->now(), 30u);
}

TEST(Timers, ASleepWaitsUntilNobodyElseCanDoAnything) {
  Timed d;
  const ThreadId a = d.start(), b = d.start();
  d.sleep(a, 20);
  d.sleep(b, 10);
  EXPECT_FALSE(d.is_enabled(a) || d.may_fire(a) || d.may_fire(b));
  EXPECT_FALSE(d.arrive_until(kMainThread, OpKind::kSleep, 0, 30));
  EXPECT_TRUE(d.model->enabled().empty());
  EXPECT_TRUE(d.model->advance_time());
  EXPECT_TRUE(d.is_enabled(b));
  EXPECT_FALSE(d.is_enabled(a));
  EXPECT_EQ(d.model->now(), 10u);
  EXPECT_EQ(d.model->perform(b), 0) << "a sleep that ends is no error";
}

TEST(Timers, AFreeSleepFiresWhenItLikes) {
  Timed d(Sleeps::kFree);
  const ThreadId a = d.start(), b = d.start();
  d.sleep(a, 20);
  d.sleep(b, 10);
  EXPECT_TRUE(d.may_fire(b));
  EXPECT_FALSE(d.may_fire(a)) << "but not before an earlier one";
  d.fire(b);
  EXPECT_TRUE(d.may_fire(a));
}

TEST(Timers, AnEarlierSleepHoldsBackALaterDeadline) {
  Timed d;
  const ThreadId a = d.start(), b = d.start();
  d.wait(a, 20);
  EXPECT_TRUE(d.may_fire(a));
  d.sleep(b, 10);
  EXPECT_FALSE(d.may_fire(a) || d.may_fire(b));
}

// A thread that reads the clock has seen that the sleep is over.
TEST(Timers, ASleepMayEndWhenTheClockWasReadPastIt) {
  Timed d;
  const ThreadId a = d.start();
  d.sleep(a, 3000);
  for (int i = 1; i < 3; ++i) d.model->read_clock();
  EXPECT_FALSE(d.may_fire(a));
  EXPECT_EQ(d.model->read_clock(), 3000u);
  EXPECT_TRUE(d.may_fire(a));
  d.model->forget_gained();
  d.fire(a);
  EXPECT_EQ(d.model->now(), 3000u);
  EXPECT_TRUE(d.is_enabled(a));
}

// POSIX: no time-out if it can be had at once; this goes for every form that does not first wait.
TEST(Timers, WhatCanBeHadAtOnceDoesNotTimeOut) {
  for (OpKind kind : {OpKind::kLock, OpKind::kReadLock, OpKind::kWriteLock}) {
    Timed d;
    const ThreadId a = d.start();
    EXPECT_TRUE(d.arrive_until(a, kind, kM, 1));
    EXPECT_FALSE(d.may_fire(a)) << name_of(kind);
    const bool mutex = kind == OpKind::kLock;
    d.go(kMainThread, mutex ? OpKind::kLock : OpKind::kWriteLock, kM);  // another is faster
    EXPECT_FALSE(d.is_enabled(a));
    EXPECT_TRUE(d.may_fire(a)) << name_of(kind);
    d.go(kMainThread, mutex ? OpKind::kUnlock : OpKind::kRwUnlock, kM);
    EXPECT_TRUE(d.is_enabled(a));
    EXPECT_FALSE(d.may_fire(a)) << name_of(kind);
    EXPECT_EQ(d.model->perform(a), 0);
  }
}

TEST(Timers, OneThatCanGoOnDoesNotHoldBackTheOthersDeadlines) {
  Timed d;
  const ThreadId a = d.start(), b = d.start();
  d.wait(b, 50);
  d.arrive_until(a, OpKind::kLock, kM, 5);
  EXPECT_TRUE(d.may_fire(b));
  d.fire(b);
  EXPECT_EQ(d.model->perform(b), ETIMEDOUT);
  EXPECT_FALSE(d.is_enabled(a)) << "b has the mutex again";
  EXPECT_TRUE(d.may_fire(a));
  d.fire(a);
  EXPECT_EQ(d.model->now(), 50u);
  EXPECT_EQ(d.model->perform(a), ETIMEDOUT);
}

TEST(Timers, TimedLock) {
  Timed d;
  const ThreadId a = d.start();
  d.go(kMainThread, OpKind::kLock, kM);
  EXPECT_FALSE(d.arrive_until(a, OpKind::kLock, kM, 5));
  d.fire(a);
  EXPECT_TRUE(d.is_enabled(a));
  d.go(kMainThread, OpKind::kUnlock, kM);
  EXPECT_EQ(d.model->perform(a), ETIMEDOUT) << "its time was over before the unlock";
  EXPECT_EQ(d.model->owner(kM), kNoThread);
}

TEST(Timers, ATimedOutConditionWaitHasTheMutexAgain) {
  Timed d;
  const ThreadId a = d.start();
  d.wait(a, 5);
  d.go(kMainThread, OpKind::kLock, kM);
  d.fire(a);
  EXPECT_FALSE(d.is_enabled(a)) << "late, but the mutex is held";
  d.go(kMainThread, OpKind::kSignal, kC);  // no thread waits any more
  d.go(kMainThread, OpKind::kUnlock, kM);
  EXPECT_EQ(d.model->perform(a), ETIMEDOUT);
  EXPECT_EQ(d.model->owner(kM), a);
}

// Signalled, but it gives up before it has the mutex: the signal is for the other.
TEST(Timers, ATokenGoesToAnotherWaiter) {
  Timed d;
  const ThreadId a = d.start(), b = d.start(), late = d.start();
  d.wait(a, 5);
  d.wait(b, kNever);
  d.go(kMainThread, OpKind::kLock, kM);
  d.go(kMainThread, OpKind::kSignal, kC);
  d.fire(a);
  d.go(kMainThread, OpKind::kUnlock, kM);
  d.model->perform(a);
  d.go(a, OpKind::kUnlock, kM);
  d.wait(late, kNever);
  EXPECT_FALSE(d.is_enabled(late)) << "the signal was before its wait";
  EXPECT_TRUE(d.is_enabled(b));
  EXPECT_EQ(d.model->perform(b), 0);
}

TEST(Timers, TimedSemaphoreWait) {
  Timed d;
  const ThreadId a = d.start(), b = d.start();
  EXPECT_FALSE(d.arrive_until(a, OpKind::kSemWait, kS, 5));
  EXPECT_FALSE(d.arrive_until(b, OpKind::kSemWait, kS, 9));
  d.fire(a);
  EXPECT_EQ(d.model->perform(a), ETIMEDOUT);
  d.go(kMainThread, OpKind::kSemPost, kS);
  EXPECT_TRUE(d.is_enabled(b));
  EXPECT_FALSE(d.may_fire(b));
  EXPECT_EQ(d.model->perform(b), 0);
}

TEST(Timers, FutexWait) {
  Timed d;
  const ThreadId a = d.start(), b = d.start();
  for (ThreadId t : {a, b}) {
    d.model->enqueue(t, kC);
    EXPECT_FALSE(d.arrive_until(t, OpKind::kFutexWoken, kC, 5));
  }
  d.fire(a);
  d.model->publish(kMainThread, Op{.kind = OpKind::kFutexWake, .object = kC, .value = 7});
  EXPECT_EQ(d.model->perform(kMainThread), 1) << "one of them has left";
  EXPECT_EQ(d.model->perform(a), ETIMEDOUT);
  EXPECT_EQ(d.model->perform(b), 0);
}

TEST(Timers, NothingIsLeftOfAWaitThatEndsOtherwise) {
  Timed d;
  const ThreadId a = d.start();
  d.wait(a, 5);
  d.go(kMainThread, OpKind::kSignal, kC);
  EXPECT_EQ(d.model->perform(a), 0);
  EXPECT_FALSE(d.may_fire(a));
  d.go(a, OpKind::kUnlock, kM);
  EXPECT_EQ(d.model->now(), 0u);
  EXPECT_FALSE(d.model->advance_time());
  EXPECT_TRUE(d.arrive(a, OpKind::kLock, kM));
  EXPECT_EQ(d.model->perform(a), 0);
}

TEST(Timers, AThousandSleepersWakeInOrder) {
  Timed d;
  std::vector<ThreadId> threads;
  for (int i = 1; i < kMaxThreads; ++i) threads.push_back(d.start());
  for (ThreadId t : threads) d.sleep(t, 100 + (t * 7919u) % 10'007u);
  d.sleep(kMainThread, kNever - 1);
  uint64_t last = 0;
  for (size_t i = 0; i < threads.size(); ++i) {
    ASSERT_TRUE(d.model->advance_time());
    ASSERT_GE(d.model->now(), last);
    last = d.model->now();
    const ThreadId t = d.model->enabled().first();
    ASSERT_EQ(d.model->pending(t).deadline, last);
    ASSERT_EQ(d.model->perform(t), 0);
    d.model->publish(t, Op{.kind = OpKind::kSleep, .timed = true, .deadline = kNever - 1});
  }
}

constexpr uint64_t kSecond = 1'000'000'000;

// Whatever is waited for: up to a second ahead it is a choice; further ahead it comes when no thread can run.
TEST(FarDeadlines, AreThoseMoreThanASecondAhead) {
  for (const OpKind kind : {OpKind::kLock, OpKind::kReadLock, OpKind::kWriteLock, OpKind::kSemWait, OpKind::kFutexWoken,
                            OpKind::kReacquire, OpKind::kIo, OpKind::kJoin})
    for (const uint64_t span : {kSecond, kSecond + 1}) {
      Timed d;
      const ThreadId a = d.start(), b = d.start();
      const uint64_t now = d.model->read_clock();
      const bool rw = kind == OpKind::kReadLock || kind == OpKind::kWriteLock;
      if (kind == OpKind::kLock || rw) d.go(kMainThread, rw ? OpKind::kWriteLock : OpKind::kLock, kM);
      if (kind == OpKind::kFutexWoken) d.model->enqueue(a, kC);
      if (kind == OpKind::kReacquire) {
        d.wait(a, now + span);
      } else {
        const Op op{.kind = kind,
                    .timed = true,
                    .thread = b,
                    .object = kind == OpKind::kFutexWoken ? kC : kM,
                    .deadline = now + span};
        d.model->publish(a, op);
      }
      ASSERT_FALSE(d.is_enabled(a)) << name_of(kind);
      EXPECT_EQ(d.may_fire(a), span == kSecond) << name_of(kind);
      EXPECT_EQ(d.model->next_is_far(), span != kSecond) << name_of(kind);
      d.sleep(kMainThread, kNever - 1);
      d.sleep(b, kNever - 1);
      ASSERT_TRUE(d.model->advance_time()) << name_of(kind);
      EXPECT_TRUE(d.is_enabled(a)) << name_of(kind);
      EXPECT_EQ(d.model->now(), now + span);
    }
}

// Half a minute must not pass in short waits while a thread stands still.
TEST(FarDeadlines, AreNotBroughtNearByNearOnes) {
  Timed d;
  const ThreadId a = d.start(), b = d.start();
  d.wait(a, 3 * kSecond);
  for (uint64_t i = 1; i <= 5; ++i) {
    d.wait(b, i * kSecond / 2);
    ASSERT_TRUE(d.may_fire(b)) << i;
    d.fire(b);
    EXPECT_EQ(d.model->perform(b), ETIMEDOUT);
    d.go(b, OpKind::kUnlock, kM);
  }
  EXPECT_EQ(d.model->now(), 5 * kSecond / 2);
  EXPECT_FALSE(d.may_fire(a)) << "half a second is left, but it was far when it was set";
  d.wait(b, d.model->now() + kSecond);
  EXPECT_FALSE(d.may_fire(a) || d.may_fire(b)) << "an earlier one is to come first";
}

TEST(FarDeadlines, AreNotPassedByChoiceWhileTheirThreadCanGoOn) {
  Timed d;
  const ThreadId a = d.start(), b = d.start();
  d.model->note_was_far(a);
  d.wait(a, kSecond + 5);
  const uint64_t now = d.model->read_clock();
  d.go(kMainThread, OpKind::kSignal, kC);
  EXPECT_TRUE(d.is_enabled(a));
  d.arrive_until(b, OpKind::kSemWait, kS, now + kSecond);
  EXPECT_FALSE(d.may_fire(b));
  EXPECT_EQ(d.model->perform(a), 0);
  EXPECT_TRUE(d.may_fire(b));
}

TEST(FarDeadlines, ComeWhenTheClockWasReadPastThem) {
  Timed d;
  const ThreadId a = d.start();
  d.wait(a, kSecond + 2000);
  for (int i = 0; i < 3; ++i) d.model->read_clock();
  EXPECT_FALSE(d.may_fire(a));
  const ThreadId b = d.start();
  d.wait(b, kSecond + 1000);
  d.fire(b);
  EXPECT_FALSE(d.may_fire(a));
  EXPECT_EQ(d.model->read_clock(), kSecond + 2000);
  EXPECT_TRUE(d.may_fire(a)) << "no time need pass";
}

TEST(FarDeadlines, AreChoicesInFreeTime) {
  Timed d(Sleeps::kFree);
  const ThreadId a = d.start();
  d.wait(a, 300 * kSecond);
  EXPECT_TRUE(d.may_fire(a));
  d.model->set_alarm(0, 200 * kSecond, false);
  EXPECT_TRUE(d.is_enabled(alarm_slot(0)));
}

TEST(FarDeadlines, StayFarWhenTheyAreSetAgain) {
  for (const bool again : {false, true}) {
    Timed d;
    const ThreadId a = d.start(), b = d.start();
    d.sleep(b, 2 * kSecond);
    d.sleep(kMainThread, 4 * kSecond);
    d.model->publish(a, Op{.kind = OpKind::kSleep, .timed = true, .deadline = kNever - 1});
    d.model->advance_time();
    EXPECT_EQ(d.model->now(), 2 * kSecond);
    d.model->perform(b);
    if (again) d.model->note_was_far(b);
    d.arrive_until(b, OpKind::kSemWait, kS, 3 * kSecond);
    EXPECT_EQ(d.may_fire(b), !again);
    const ThreadId c = d.start();
    if (again) d.model->note_was_far(c);
    d.arrive_until(c, OpKind::kSemWait, kS, kSecond);
    EXPECT_EQ(d.may_fire(c), !again) << "its time is past";
  }
}

TEST(FarDeadlines, OfAlarmsComeLast) {
  ModelDriver d;
  d.start();
  d.model->set_alarm(0, 300 * kSecond, false);
  EXPECT_FALSE(d.is_enabled(alarm_slot(0)));
  EXPECT_TRUE(d.model->next_is_far());
  d.model->set_alarm(0, kSecond, false);
  EXPECT_TRUE(d.is_enabled(alarm_slot(0)));
  EXPECT_FALSE(d.model->next_is_far());
  EXPECT_EQ(d.model->time_to(alarm_slot(0)), kSecond);
}

constexpr uint64_t kHourAway = 3'600'000'000'000;

TEST(Alarms, TheEarliestMayComeAndTimeMovesWithIt) {
  ModelDriver d;
  d.start();
  d.model->set_alarm(0, 500, false);
  d.model->set_alarm(1, 300, false);
  EXPECT_FALSE(d.is_enabled(alarm_slot(0)));
  ASSERT_TRUE(d.is_enabled(alarm_slot(1)));
  d.model->perform(alarm_slot(1));
  EXPECT_EQ(d.model->now(), 300u);
  EXPECT_EQ(d.model->take_fired(), 1);
  EXPECT_EQ(d.model->take_fired(), -1);
  EXPECT_FALSE(d.model->is_set(1));
  EXPECT_TRUE(d.is_enabled(alarm_slot(0)));
}

TEST(Alarms, APatientOneComesWhenNobodyElseCanRun) {
  ModelDriver d;
  d.model->set_alarm(0, kHourAway, true);
  EXPECT_FALSE(d.is_enabled(alarm_slot(0)));
  EXPECT_TRUE(d.model->advance_time());
  EXPECT_EQ(d.model->take_fired(), 0);
  EXPECT_EQ(d.model->now(), kHourAway);
  EXPECT_FALSE(d.model->advance_time());
}

TEST(Alarms, OneThatIsClearedNeverComes) {
  ModelDriver d;
  d.model->set_alarm(3, 10, false);
  d.model->clear_alarm(3);
  EXPECT_FALSE(d.is_enabled(alarm_slot(3)));
  EXPECT_FALSE(d.model->advance_time());
  EXPECT_EQ(d.model->time_to_deadline(), ~uint64_t{0});
}

TEST(Alarms, ADeadlineOfAThreadThatIsEarlierComesFirst) {
  ModelDriver d;
  const ThreadId a = d.start();
  d.model->publish(a, Op{.kind = OpKind::kSleep, .timed = true, .deadline = 100});
  d.model->set_alarm(0, 200, false);
  EXPECT_FALSE(d.is_enabled(alarm_slot(0)));
  EXPECT_TRUE(d.model->advance_time());
  EXPECT_TRUE(d.is_enabled(a));
  EXPECT_TRUE(d.is_enabled(alarm_slot(0)));
}

}  // namespace
}  // namespace snarl::model
