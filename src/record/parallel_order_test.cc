#include "record/parallel_order.h"

#include <gtest/gtest.h>

namespace snarl::record {
namespace {

constexpr OpKind kCreate = OpKind::kCreate, kAfter = OpKind::kAfter, kStart = OpKind::kStart, kLock = OpKind::kLock,
                 kUnlock = OpKind::kUnlock, kExit = OpKind::kExit, kJoin = OpKind::kJoin;

TEST(ParallelOrderTest, OneThreadHasNoSwitch) {
  const ParallelThread main{0, {{1, 10, kLock, false}, {2, 11, kUnlock, false}}, {}};
  EXPECT_TRUE(serial_order({{main}}).empty());
}

// Main creates T1, which locks between main's lock and join.
TEST(ParallelOrderTest, StepsAreCountedFromTheFirstCreateOn) {
  const ParallelThread main{
      0, {{1, 1, kCreate, false}, {2, 1, kAfter, false}, {5, 2, kLock, false}, {9, 3, kJoin, false}}, {}};
  const ParallelThread other{
      1, {{3, 0, kStart, false}, {4, 7, kLock, false}, {6, 8, kUnlock, false}, {7, 0, kExit, false}}, {}};
  const ParallelThread threads[] = {main, other};
  const std::vector<Decision> d = serial_order(threads);
  ASSERT_EQ(d.size(), 3u);
  EXPECT_EQ(d[0].step, 1u) << "the create was taken alone and counts as no step";
  EXPECT_EQ(d[0].from, 0u);
  EXPECT_EQ(d[0].to, 1u);
  EXPECT_EQ(d[0].kind, kLock) << "what main was about to do";
  EXPECT_EQ(d[0].pc, 2u);
  EXPECT_EQ(d[0].nth, 2u);
  EXPECT_EQ(d[1].step, 3u);
  EXPECT_EQ(d[1].from, 1u);
  EXPECT_EQ(d[1].kind, kUnlock);
  EXPECT_EQ(d[2].step, 4u);
  EXPECT_EQ(d[2].kind, kJoin);
  EXPECT_EQ(d.back().to, 1u);
}

TEST(ParallelOrderTest, AfterAnExitTheSwitchComesFromTheEnded) {
  const ParallelThread main{0, {{1, 1, kCreate, false}, {2, 1, kCreate, false}, {9, 3, kJoin, false}}, {}};
  const ParallelThread a{1, {{3, 0, kStart, false}, {4, 0, kExit, false}}, {}};
  const ParallelThread b{2, {{5, 0, kStart, false}}, {0, 77, kLock, false}};
  const ParallelThread threads[] = {main, a, b};
  const std::vector<Decision> d = serial_order(threads);
  ASSERT_EQ(d.size(), 3u);
  EXPECT_EQ(d[1].from, 1u);
  EXPECT_EQ(d[1].to, 2u);
  EXPECT_EQ(d[1].kind, kExit);
  EXPECT_EQ(d[1].reason, Reason::kEnded);
  EXPECT_EQ(d[2].kind, kLock) << "what b was about to do when the run ended";
  EXPECT_EQ(d[2].pc, 77u);
}

TEST(ParallelOrderTest, ALateWaitIsPrecededByItsTimer) {
  const ParallelThread main{0, {{1, 1, kCreate, false}, {5, 2, kLock, true}}, {}};
  const ParallelThread other{1, {{3, 0, kStart, false}}, {0, 9, kUnlock, false}};
  const ParallelThread threads[] = {main, other};
  const std::vector<Decision> d = serial_order(threads);
  ASSERT_EQ(d.size(), 3u);
  EXPECT_EQ(d[1].to, 0u | kTimerBit);
  EXPECT_EQ(d[2].from, 0u | kTimerBit);
  EXPECT_EQ(d[2].to, 0u);
  EXPECT_EQ(d[2].step, d[1].step + 1);
}

}  // namespace
}  // namespace snarl::record
