// Each pattern on runs that have it, and on others that look alike: there it must be silent.
#include "explain/pattern/pattern.h"

#include <gtest/gtest.h>

#include "explain/pattern/test_story.h"

namespace snarl::explain {
namespace {

using report::PatternKind;

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

// The last exchange of the story.
std::optional<Pattern> aba_at_end(const Story& story) { return aba(story.run, story.run.events.size() - 2); }

TEST(Aba, IsAnExchangeOnAValueThatCameBack) {
  Story story;
  story.does(1, OpKind::kAtomicLoad, kX, 7).exchanges(2, kX, 7, 8).exchanges(2, kX, 8, 7).exchanges(1, kX, 7, 9);
  const auto found = aba_at_end(story);
  ASSERT_EQ(kind_of(found), PatternKind::kAba);
  EXPECT_EQ(events_of(found), (std::vector<size_t>{0, 1, 3, 5}));
  Story by_exchange;  // a failed one, or fetch_add(0), is a look as well
  by_exchange.exchanges(1, kX, 7, 7).exchanges(2, kX, 7, 8).exchanges(2, kX, 8, 7).exchanges(1, kX, 7, 9);
  EXPECT_EQ(events_of(aba_at_end(by_exchange)), (std::vector<size_t>{0, 2, 4, 6}));
}

TEST(Aba, IsNotOneThatFailedNorOneThatNobodyDisturbed) {
  Story failed;
  failed.does(1, OpKind::kAtomicLoad, kX, 7).exchanges(2, kX, 7, 8).exchanges(2, kX, 8, 7).exchanges(1, kX, 7, 7);
  EXPECT_FALSE(aba_at_end(failed).has_value());
  Story quiet;
  quiet.does(1, OpKind::kAtomicLoad, kX, 7).exchanges(1, kX, 7, 9);
  EXPECT_FALSE(aba_at_end(quiet).has_value());
  Story read_again;
  read_again.does(1, OpKind::kAtomicLoad, kX, 7).exchanges(2, kX, 7, 8).exchanges(2, kX, 8, 7);
  read_again.does(1, OpKind::kAtomicLoad, kX, 7).exchanges(1, kX, 7, 9);
  EXPECT_FALSE(aba_at_end(read_again).has_value()) << "it looked again";
  Story once;
  once.does(1, OpKind::kAtomicLoad, kX, 7).exchanges(2, kX, 8, 7).exchanges(1, kX, 7, 9);
  EXPECT_FALSE(aba_at_end(once).has_value()) << "it never changed";
  Story counted;
  counted.exchanges(1, kX, 6, 7).exchanges(2, kX, 7, 8).exchanges(2, kX, 8, 7).exchanges(1, kX, 7, 8).fails(1);
  EXPECT_EQ(kind_of(find_pattern(counted.run, nullptr)), PatternKind::kNone) << "no cause says that it matters";
}

TEST(MadeAnew, IsAnInitialisationOfWhatAnotherHoldsOrWaitsFor) {
  Story held;
  held.does(1, OpKind::kLock, kM).does(2, OpKind::kMutexInit, kM).does(2, OpKind::kLock, kM).fails(1);
  const auto found = made_anew(held.run);
  ASSERT_EQ(kind_of(found), PatternKind::kMadeAnew);
  EXPECT_EQ(events_of(found), (std::vector<size_t>{0, 1}));
  Story waited;
  waited.does(1, OpKind::kLock, kM).does(1, OpKind::kWait, kC, kM).does(2, OpKind::kCondInit, kC).fails(1);
  EXPECT_EQ(events_of(made_anew(waited.run)), (std::vector<size_t>{1, 2}));
}

TEST(MadeAnew, IsNotOneThatNobodyHoldsNorInMemoryThatWasFreed) {
  Story released;
  released.does(1, OpKind::kLock, kM).does(1, OpKind::kUnlock, kM).does(2, OpKind::kMutexInit, kM).fails(1);
  EXPECT_FALSE(made_anew(released.run).has_value());
  Story own;
  own.does(1, OpKind::kLock, kM).does(1, OpKind::kMutexInit, kM).fails(1);
  EXPECT_FALSE(made_anew(own.run).has_value()) << "a thread's stack is used again";
  Story freed;
  freed.does(1, OpKind::kLock, kM).does(1, OpKind::kFree, kM).does(2, OpKind::kMutexInit, kM).fails(1);
  EXPECT_FALSE(made_anew(freed.run).has_value()) << "another object";
  Story back;
  back.does(1, OpKind::kWait, kC, kM).does(1, OpKind::kReacquire, kC, kM).does(2, OpKind::kCondInit, kC).fails(1);
  EXPECT_FALSE(made_anew(back.run).has_value()) << "it waits no longer";
}

}  // namespace
}  // namespace snarl::explain
