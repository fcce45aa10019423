// Patterns of a proved cause, and of others that look alike.
#include <gtest/gtest.h>

#include "explain/pattern/test_story.h"

namespace snarl::explain {
namespace {

using report::PatternKind;

TracedEvent of(uint64_t thread, size_t index) {
  return {.thread = thread, .kind = OpKind::kLock, .object = kX, .index = index};
}

TEST(FromCause, AnOrderOrAnEventBetweenTwo) {
  Cause cause{.state = CauseState::kProved, .constraints = {{of(2, 5), {of(1, 3)}, {}}}};
  EXPECT_EQ(kind_of(from_cause({}, cause)), PatternKind::kOrder);
  cause.constraints.push_back({of(1, 9), {of(2, 6)}, {}});
  EXPECT_EQ(kind_of(from_cause({}, cause)), PatternKind::kAtomicity);
  EXPECT_EQ(events_of(from_cause({}, cause)), (std::vector<size_t>{3, 5, 9}));
  cause.constraints[0].target.object = kX + 8;
  EXPECT_FALSE(from_cause({}, cause).has_value()) << "the event between is on another object";
  cause.constraints[0].target.object = kX;
  cause.constraints[1].target.thread = 3;
  EXPECT_FALSE(from_cause({}, cause).has_value()) << "the third event is another thread's";
  cause.constraints.pop_back();
  cause.state = CauseState::kPartly;
  EXPECT_FALSE(from_cause({}, cause).has_value()) << "it is not proved";
}

// A cause of two orders between events of a story: an event of one thread, two of another, one of the first.
Cause there_and_back(const Story& story, size_t first, size_t there, size_t back, size_t last) {
  const auto traced = [&](size_t i) {
    const Event& e = story.run.events[i];
    return TracedEvent{.thread = e.thread, .kind = e.kind, .object = e.object, .ordinal = e.thread, .index = i};
  };
  return {.state = CauseState::kProved,
          .constraints = {{traced(there), {traced(first)}, {}}, {traced(last), {traced(back)}, {}}}};
}

Story both_take(uint64_t second_saw) {
  Story story;
  story.does(1, OpKind::kRead, kX, 3).does(2, OpKind::kRead, kX, second_saw).does(2, OpKind::kWrite, kX, 4);
  return story.does(1, OpKind::kWrite, kX, 4).fails(1);
}

TEST(DoubleTake, IsTwoReadsOfOneValueBeforeEitherWrites) {
  const Story story = both_take(3);
  const auto found = from_cause(story.run, there_and_back(story, 0, 2, 2, 3));
  ASSERT_EQ(kind_of(found), PatternKind::kDoubleTake);
  EXPECT_EQ(events_of(found), (std::vector<size_t>{0, 1, 2, 3}));
}

TEST(DoubleTake, IsSeenBetweenTheLocksThatTheCauseNames) {
  Story story;
  story.does(1, OpKind::kRead, kX, 0).does(1, OpKind::kUnlock, kM);
  story.does(2, OpKind::kLock, kM).does(2, OpKind::kRead, kX, 0).does(2, OpKind::kWrite, kX, 1);
  story.does(2, OpKind::kUnlock, kM).does(1, OpKind::kLock, kM).does(1, OpKind::kWrite, kX, 1).fails(1);
  const auto found = from_cause(story.run, there_and_back(story, 1, 2, 5, 6));
  ASSERT_EQ(kind_of(found), PatternKind::kDoubleTake);
  EXPECT_EQ(events_of(found), (std::vector<size_t>{0, 3, 4, 7}));
}

TEST(DoubleTake, IsNotAWriteOfOneThatDidNotRead) {
  Story blind;
  blind.does(1, OpKind::kRead, kX, 3).does(2, OpKind::kWrite, kX, 4).does(1, OpKind::kWrite, kX, 4).fails(1);
  EXPECT_EQ(kind_of(from_cause(blind.run, there_and_back(blind, 0, 1, 1, 2))), PatternKind::kAtomicity);
  const Story other = both_take(2);
  EXPECT_EQ(kind_of(from_cause(other.run, there_and_back(other, 0, 2, 2, 3))), PatternKind::kAtomicity);
  Story again;
  again.does(1, OpKind::kRead, kX, 3).does(2, OpKind::kRead, kX, 3).does(2, OpKind::kWrite, kX, 4);
  again.does(1, OpKind::kRead, kX, 4).does(1, OpKind::kWrite, kX, 5).fails(1);
  EXPECT_EQ(kind_of(from_cause(again.run, there_and_back(again, 0, 2, 2, 4))), PatternKind::kAtomicity)
      << "it looked again";
}

// Tests without the lock, and takes it afterwards.
Story tests_and_locks(bool looks_again, bool other_locks) {
  Story story;
  story.does(1, OpKind::kRead, kX, 0);
  if (other_locks) story.does(2, OpKind::kLock, kM);
  story.does(2, OpKind::kWrite, kX, 1);
  if (other_locks) story.does(2, OpKind::kUnlock, kM);
  story.does(1, OpKind::kLock, kM);
  if (looks_again) story.does(1, OpKind::kRead, kX, 1);
  return story.does(1, OpKind::kWrite, kX, 2).fails(1);
}

TEST(MissedRecheck, IsALockAfterTheTestWithoutAnotherLook) {
  const Story story = tests_and_locks(false, true);
  const auto found = from_cause(story.run, there_and_back(story, 0, 2, 3, 4));
  ASSERT_EQ(kind_of(found), PatternKind::kMissedRecheck);
  EXPECT_EQ(events_of(found), (std::vector<size_t>{0, 2, 4}));
}

TEST(MissedRecheck, IsNotWithASecondLookNorWithoutTheOthersLock) {
  const Story looks = tests_and_locks(true, true);
  EXPECT_NE(kind_of(from_cause(looks.run, there_and_back(looks, 0, 2, 3, 4))), PatternKind::kMissedRecheck);
  const Story unlocked = tests_and_locks(false, false);
  EXPECT_EQ(kind_of(from_cause(unlocked.run, there_and_back(unlocked, 0, 1, 1, 3))), PatternKind::kAtomicity);
}

TEST(PublishedEarly, IsAReadOfTheRestBeforeItIsWritten) {
  Story story;
  story.does(1, OpKind::kAtomicStore, kX, 1).does(2, OpKind::kAtomicLoad, kX, 1).does(2, OpKind::kRead, kM, 0);
  story.does(1, OpKind::kWrite, kM, 7).fails(2);
  const auto found = from_cause(story.run, there_and_back(story, 0, 1, 2, 3));
  ASSERT_EQ(kind_of(found), PatternKind::kPublishedEarly);
  EXPECT_EQ(events_of(found), (std::vector<size_t>{0, 1, 2, 3}));
}

TEST(PublishedEarly, IsSeenFromThePointsAfterExchanges) {
  Story story;
  story.exchanges(1, kX, 0, 1).exchanges(2, kX, 1, 1).exchanges(2, kM, 0, 0).does(1, OpKind::kAtomicStore, kM, 7);
  const auto found = from_cause(story.fails(2).run, there_and_back(story, 1, 2, 5, 6));
  ASSERT_EQ(kind_of(found), PatternKind::kPublishedEarly);
  EXPECT_EQ(events_of(found), (std::vector<size_t>{0, 2, 4, 6}));
}

TEST(PublishedEarly, IsNotOnePlaceNorLocks) {
  Story one;
  one.does(1, OpKind::kAtomicStore, kX, 1).does(2, OpKind::kAtomicLoad, kX, 1).does(1, OpKind::kAtomicStore, kX, 2);
  EXPECT_EQ(kind_of(from_cause(one.fails(2).run, there_and_back(one, 0, 1, 1, 2))), PatternKind::kAtomicity);
  Story locks;
  locks.does(1, OpKind::kLock, kX).does(2, OpKind::kLock, kX).does(2, OpKind::kRead, kM).does(1, OpKind::kWrite, kM);
  EXPECT_FALSE(from_cause(locks.fails(2).run, there_and_back(locks, 0, 1, 2, 3)).has_value());
}

}  // namespace
}  // namespace snarl::explain
