// Each pattern on runs that have it, and on others that look alike: there it must be silent.
#include "explain/pattern/pattern.h"

#include <gtest/gtest.h>

#include "explain/diagnose/test_records.h"

namespace snarl::explain {
namespace {

using report::PatternKind;

constexpr uint64_t kM = 0x1000, kN = 0x2000, kO = 0x3000, kC = 0x4000, kX = 0x5000;

// A run under way: each call is one event.
struct Story {
  record::RunRecord run;

  Story& does(uint32_t thread, OpKind kind, uint64_t object = 0, uint64_t value = 0, int16_t result = 0) {
    Event e = event(run.events.size() + 1, thread, kind, object, 0x100);
    e.value = value;
    e.result = result;
    run.events.push_back(e);
    return *this;
  }
  // An exchange and the point after it: what was there, and what is there then.
  Story& exchanges(uint32_t thread, uint64_t object, uint64_t was, uint64_t is) {
    does(thread, OpKind::kAtomicRmw, object, was).does(thread, OpKind::kAfter, object, is);
    run.events.back().after = OpKind::kAtomicRmw;
    return *this;
  }
  Story& blocked(uint32_t thread, OpKind kind, uint64_t object) {
    run.threads.push_back(live(thread, kind, object, 0x200));
    run.outcome = OutcomeKind::kDeadlock;
    return *this;
  }
  Story& fails(uint32_t thread) {
    run.outcome = OutcomeKind::kAssert;
    run.failing_thread = thread;
    return *this;
  }
};

PatternKind kind_of(const std::optional<Pattern>& pattern) { return pattern ? pattern->kind : PatternKind::kNone; }

std::vector<size_t> events_of(const std::optional<Pattern>& pattern) {
  std::vector<size_t> events;
  for (const TracedEvent& e : pattern->moments) events.push_back(e.index);
  return events;
}

constexpr size_t kPending = TracedEvent::kPending;

TEST(LockCycle, OfTwoIsAbba) {
  Story story;
  story.does(1, OpKind::kLock, kM).does(2, OpKind::kLock, kN);
  story.blocked(1, OpKind::kLock, kN).blocked(2, OpKind::kLock, kM);
  const auto found = lock_cycle(story.run);
  ASSERT_EQ(kind_of(found), PatternKind::kAbba);
  EXPECT_EQ(events_of(found), (std::vector<size_t>{0, kPending, 1, kPending}));
  EXPECT_EQ(found->moments[1].ordinal, 1u);
}

TEST(LockCycle, OfThree) {
  Story story;
  story.does(1, OpKind::kLock, kM).does(2, OpKind::kLock, kN).does(3, OpKind::kLock, kO);
  story.blocked(1, OpKind::kLock, kN).blocked(2, OpKind::kLock, kO).blocked(3, OpKind::kLock, kM);
  const auto found = lock_cycle(story.run);
  ASSERT_EQ(kind_of(found), PatternKind::kLockCycle);
  EXPECT_EQ(found->moments.size(), 6u);
}

TEST(LockCycle, IsNotALockThatIsNeverReleasedNorOneThatFailed) {
  Story story;
  story.does(1, OpKind::kLock, kM).blocked(2, OpKind::kLock, kM);
  EXPECT_FALSE(lock_cycle(story.run).has_value()) << "T1 waits for nothing";
  Story self;
  self.does(1, OpKind::kLock, kM).blocked(1, OpKind::kLock, kM);
  EXPECT_FALSE(lock_cycle(self.run).has_value());
  Story tried;
  tried.does(1, OpKind::kLock, kM).does(2, OpKind::kTryLock, kN, 0, EBUSY);
  tried.blocked(1, OpKind::kLock, kN).blocked(2, OpKind::kLock, kM);
  EXPECT_FALSE(lock_cycle(tried.run).has_value()) << "T2 did not get it";
  Story released;
  released.does(1, OpKind::kLock, kM).does(1, OpKind::kUnlock, kM).does(2, OpKind::kLock, kN);
  released.blocked(1, OpKind::kLock, kN).blocked(2, OpKind::kLock, kM);
  EXPECT_FALSE(lock_cycle(released.run).has_value());
}

TEST(LostWakeUp, IsASignalBeforeTheWait) {
  Story story;
  story.does(2, OpKind::kLock, kM).does(2, OpKind::kSignal, kC).does(2, OpKind::kUnlock, kM);
  story.does(1, OpKind::kLock, kM).does(1, OpKind::kWait, kC, kM).blocked(1, OpKind::kReacquire, kC);
  const auto found = lost_wake_up(story.run);
  ASSERT_EQ(kind_of(found), PatternKind::kLostWakeUp);
  EXPECT_EQ(events_of(found), (std::vector<size_t>{1, 4}));
}

TEST(LostWakeUp, TellsOfTheTestThatInstrumentedCodeShows) {
  Story story;
  story.does(1, OpKind::kRead, kX).does(2, OpKind::kWrite, kX, 1).does(2, OpKind::kBroadcast, kC);
  story.does(1, OpKind::kWait, kC, kM).blocked(1, OpKind::kReacquire, kC);
  EXPECT_EQ(events_of(lost_wake_up(story.run)), (std::vector<size_t>{2, 3, 0}));
}

TEST(LostWakeUp, IsNotASignalThatWokeSomebodyNorNone) {
  Story other;
  other.does(3, OpKind::kWait, kC, kM).does(2, OpKind::kSignal, kC).does(3, OpKind::kReacquire, kC, kM);
  other.does(1, OpKind::kWait, kC, kM).blocked(1, OpKind::kReacquire, kC);
  EXPECT_FALSE(lost_wake_up(other.run).has_value()) << "it woke T3";
  Story none;
  none.does(1, OpKind::kWait, kC, kM).blocked(1, OpKind::kReacquire, kC);
  EXPECT_FALSE(lost_wake_up(none.run).has_value()) << "nobody ever signals";
  Story own;
  own.does(1, OpKind::kSignal, kC).does(1, OpKind::kWait, kC, kM).blocked(1, OpKind::kReacquire, kC);
  EXPECT_FALSE(lost_wake_up(own.run).has_value()) << "its own";
  Story mutex;
  mutex.does(2, OpKind::kSignal, kC).does(1, OpKind::kWait, kC, kM).does(3, OpKind::kSignal, kC);
  mutex.blocked(1, OpKind::kReacquire, kC);
  EXPECT_FALSE(lost_wake_up(mutex.run).has_value()) << "it was woken, and waits for the mutex";
}

Story woken_and_overtaken() {
  Story story;
  story.does(1, OpKind::kLock, kM).does(1, OpKind::kWait, kC, kM).does(3, OpKind::kSignal, kC);
  story.does(2, OpKind::kLock, kM).does(2, OpKind::kUnlock, kM).does(1, OpKind::kReacquire, kC, kM);
  return story;
}

TEST(Overtaken, IsALockBetweenWakeUpAndReturn) {
  Story story = woken_and_overtaken().fails(1);
  const auto found = overtaken(story.run);
  ASSERT_EQ(kind_of(found), PatternKind::kOvertaken);
  EXPECT_EQ(events_of(found), (std::vector<size_t>{1, 2, 3}));
}

TEST(Overtaken, IsNotAFailureElsewhereOrLater) {
  EXPECT_FALSE(overtaken(woken_and_overtaken().fails(2).run).has_value()) << "another thread fails";
  Story later = woken_and_overtaken();
  later.does(1, OpKind::kUnlock, kM).fails(1);
  EXPECT_FALSE(overtaken(later.run).has_value()) << "it had let go of the mutex";
  Story waits_again = woken_and_overtaken();
  waits_again.does(1, OpKind::kWait, kC, kM)
      .does(3, OpKind::kBroadcast, kC)
      .does(1, OpKind::kReacquire, kC, kM)
      .fails(1);
  EXPECT_FALSE(overtaken(waits_again.run).has_value()) << "it waited again";
  Story before;
  before.does(1, OpKind::kWait, kC, kM).does(2, OpKind::kLock, kM).does(2, OpKind::kSignal, kC);
  before.does(2, OpKind::kUnlock, kM).does(1, OpKind::kReacquire, kC, kM).fails(1);
  EXPECT_FALSE(overtaken(before.run).has_value()) << "nobody came between";
}

TEST(Aba, IsAnExchangeOnAValueThatCameBack) {
  Story story;
  story.does(1, OpKind::kAtomicLoad, kX, 7).exchanges(2, kX, 7, 8).exchanges(2, kX, 8, 7).exchanges(1, kX, 7, 9);
  const auto found = aba(story.run);
  ASSERT_EQ(kind_of(found), PatternKind::kAba);
  EXPECT_EQ(events_of(found), (std::vector<size_t>{0, 1, 3, 5}));
}

TEST(Aba, IsNotOneThatFailedNorOneThatNobodyDisturbed) {
  Story failed;
  failed.does(1, OpKind::kAtomicLoad, kX, 7).exchanges(2, kX, 7, 8).exchanges(2, kX, 8, 7).exchanges(1, kX, 7, 7);
  EXPECT_FALSE(aba(failed.run).has_value());
  Story quiet;
  quiet.does(1, OpKind::kAtomicLoad, kX, 7).exchanges(1, kX, 7, 9);
  EXPECT_FALSE(aba(quiet.run).has_value());
  Story read_again;
  read_again.does(1, OpKind::kAtomicLoad, kX, 7).exchanges(2, kX, 7, 8).exchanges(2, kX, 8, 7);
  read_again.does(1, OpKind::kAtomicLoad, kX, 7).exchanges(1, kX, 7, 9);
  EXPECT_FALSE(aba(read_again.run).has_value()) << "it looked again";
  Story once;
  once.does(1, OpKind::kAtomicLoad, kX, 7).exchanges(2, kX, 8, 7).exchanges(1, kX, 7, 9);
  EXPECT_FALSE(aba(once.run).has_value()) << "it never changed";
}

TracedEvent of(uint64_t thread, size_t index) {
  return {.thread = thread, .kind = OpKind::kLock, .object = kX, .index = index};
}

TEST(FromCause, AnOrderOrAnEventBetweenTwo) {
  Cause cause{.state = CauseState::kProved, .constraints = {{of(2, 5), {of(1, 3)}, {}}}};
  EXPECT_EQ(kind_of(from_cause(cause)), PatternKind::kOrder);
  cause.constraints.push_back({of(1, 9), {of(2, 6)}, {}});
  EXPECT_EQ(kind_of(from_cause(cause)), PatternKind::kAtomicity);
  EXPECT_EQ(events_of(from_cause(cause)), (std::vector<size_t>{3, 5, 9}));
  cause.constraints[0].target.object = kX + 8;
  EXPECT_FALSE(from_cause(cause).has_value()) << "the event between is on another object";
  cause.constraints[0].target.object = kX;
  cause.constraints[1].target.thread = 3;
  EXPECT_FALSE(from_cause(cause).has_value()) << "the third event is another thread's";
  cause.constraints.pop_back();
  cause.state = CauseState::kPartly;
  EXPECT_FALSE(from_cause(cause).has_value()) << "it is not proved";
}

}  // namespace
}  // namespace snarl::explain
