// Each pattern of wake-ups on runs that have it, and on others that look alike: there it must be silent.
#include <gtest/gtest.h>

#include "explain/pattern/test_story.h"

namespace snarl::explain {
namespace {

using report::PatternKind;

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

TEST(LostWakeUp, IsNotOneOfWhichTheWaiterKnew) {
  Story knew;
  knew.does(2, OpKind::kWrite, kX, 1).does(2, OpKind::kSignal, kC).does(1, OpKind::kRead, kX, 1);
  knew.does(1, OpKind::kWait, kC, kM).blocked(1, OpKind::kReacquire, kC);
  EXPECT_FALSE(lost_wake_up(knew.run).has_value()) << "it read after the signal what was written before it";
}

TEST(LostWakeUp, OnAFutexIsAWakeBeforeTheWait) {
  Story story;
  story.does(1, OpKind::kAtomicLoad, kX).does(2, OpKind::kAtomicStore, kX, 1).does(2, OpKind::kFutexWake, kX, 1);
  story.does(1, OpKind::kFutexWait, kX, 1).blocked(1, OpKind::kFutexWoken, kX);
  const auto found = lost_wake_up(story.run);
  ASSERT_EQ(kind_of(found), PatternKind::kLostWakeUp);
  EXPECT_EQ(events_of(found), (std::vector<size_t>{2, 3, 0}));
}

TEST(LostWakeUp, OnAFutexIsNotAWakeThatCameToAnother) {
  Story story;
  story.does(3, OpKind::kFutexWait, kX).does(2, OpKind::kFutexWake, kX, 1).does(3, OpKind::kFutexWoken, kX);
  story.does(1, OpKind::kFutexWait, kX, 1).blocked(1, OpKind::kFutexWoken, kX);
  EXPECT_FALSE(lost_wake_up(story.run).has_value());
}

Story one_for_two(OpKind wake) {
  Story story;
  story.does(1, OpKind::kWait, kC, kM).does(3, OpKind::kWait, kC, kM).does(2, wake, kC);
  story.does(3, OpKind::kReacquire, kC, kM).does(3, OpKind::kUnlock, kM).blocked(1, OpKind::kReacquire, kC);
  return story;
}

TEST(WakeUpTaken, IsOneSignalForTwoWaiters) {
  const auto found = wake_up_taken(one_for_two(OpKind::kSignal).run);
  ASSERT_EQ(kind_of(found), PatternKind::kWakeUpTaken);
  EXPECT_EQ(events_of(found), (std::vector<size_t>{2, 3, 0}));
}

TEST(WakeUpTaken, IsNotABroadcastNorASignalOfItsOwn) {
  EXPECT_FALSE(wake_up_taken(one_for_two(OpKind::kBroadcast).run).has_value()) << "it waits for the mutex";
  Story both;
  both.does(1, OpKind::kWait, kC, kM).does(3, OpKind::kWait, kC, kM).does(2, OpKind::kSignal, kC);
  both.does(2, OpKind::kSignal, kC).does(3, OpKind::kReacquire, kC, kM).blocked(1, OpKind::kReacquire, kC);
  EXPECT_FALSE(wake_up_taken(both.run).has_value()) << "the second one woke it";
  Story later;
  later.does(3, OpKind::kWait, kC, kM).does(2, OpKind::kSignal, kC).does(1, OpKind::kWait, kC, kM);
  later.does(3, OpKind::kReacquire, kC, kM).blocked(1, OpKind::kReacquire, kC);
  EXPECT_FALSE(wake_up_taken(later.run).has_value()) << "it did not wait at the signal";
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

}  // namespace
}  // namespace snarl::explain
