#include "record/parallel_order.h"

#include <gtest/gtest.h>

namespace snarl::record {
namespace {

constexpr OpKind kCreate = OpKind::kCreate, kAfter = OpKind::kAfter, kStart = OpKind::kStart, kLock = OpKind::kLock,
                 kUnlock = OpKind::kUnlock, kExit = OpKind::kExit, kJoin = OpKind::kJoin;

Event event(uint64_t when, uint32_t thread, OpKind kind, uint64_t pc = 0) {
  Event e;
  e.step = when;
  e.thread = thread & Event::kMostThreads;
  e.kind = kind;
  e.pc = pc;
  return e;
}

std::vector<Decision> order_of(std::vector<Event> events, const std::vector<Event>& pending) {
  sort_by_time(events);
  return serial_order(events, pending);
}

TEST(ParallelOrderTest, OneThreadHasNoSwitch) {
  EXPECT_TRUE(order_of({event(1, 0, kLock, 10), event(2, 0, kUnlock, 11)}, {Event()}).empty());
}

// Main creates T1, which locks between main's lock and join.
TEST(ParallelOrderTest, StepsAreCountedFromTheFirstCreateOn) {
  const std::vector<Decision> d =
      order_of({event(1, 0, kCreate, 1), event(2, 0, kAfter, 1), event(5, 0, kLock, 2), event(9, 0, kJoin, 3),
                event(3, 1, kStart), event(4, 1, kLock, 7), event(6, 1, kUnlock, 8), event(7, 1, kExit)},
               {Event(), Event()});
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
  EXPECT_EQ(d[2].to, 1u);
}

TEST(ParallelOrderTest, AfterAnExitTheSwitchComesFromTheEnded) {
  const std::vector<Decision> d = order_of({event(1, 0, kCreate, 1), event(2, 0, kCreate, 1), event(9, 0, kJoin, 3),
                                            event(3, 1, kStart), event(4, 1, kExit), event(5, 2, kStart)},
                                           {Event(), Event(), event(0, 2, kLock, 77)});
  ASSERT_EQ(d.size(), 3u);
  EXPECT_EQ(d[1].from, 1u);
  EXPECT_EQ(d[1].to, 2u);
  EXPECT_EQ(d[1].kind, kExit);
  EXPECT_EQ(d[1].reason, Reason::kEnded);
  EXPECT_EQ(d[2].kind, kLock) << "what T2 was about to do when the run ended";
  EXPECT_EQ(d[2].pc, 77u);
}

TEST(ParallelOrderTest, ALateWaitIsPrecededByItsTimer) {
  Event late = event(5, 0, kLock, 2);
  late.late = true;
  const std::vector<Decision> d =
      order_of({event(1, 0, kCreate, 1), late, event(3, 1, kStart)}, {Event(), event(0, 1, kUnlock, 9)});
  ASSERT_EQ(d.size(), 3u);
  EXPECT_EQ(d[1].to, 0u | kTimerBit);
  EXPECT_EQ(d[2].from, 0u | kTimerBit);
  EXPECT_EQ(d[2].to, 0u);
  EXPECT_EQ(d[2].step, d[1].step + 1);
}

TEST(ParallelOrderTest, AtTheSameTimeAThreadsOwnStayInOrder) {
  std::vector<Event> events = {event(2, 1, kLock, 1), event(2, 0, kLock, 2), event(2, 1, kUnlock, 3),
                               event(1, 0, kCreate, 4)};
  sort_by_time(events);
  std::vector<uint64_t> places;
  for (const Event& e : events) places.push_back(e.pc);
  EXPECT_EQ(places, (std::vector<uint64_t>{4, 2, 1, 3}));
}

}  // namespace
}  // namespace snarl::record
