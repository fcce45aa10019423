#include "detect/lock_order.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace snarl::detect {
namespace {

constexpr uint64_t kA = 100, kB = 200, kGate = 300;

struct Locks : testing::Test {
  std::vector<LockEdge> edges = std::vector<LockEdge>(64);
  std::unique_ptr<LockOrder> order = std::make_unique<LockOrder>(edges);

  Locks() {
    order->created(0);
    order->created(1);
    order->created(2);
  }

  // How many inversions it makes.
  int lock(ThreadId thread, uint64_t lock, uint64_t pc = 1) {
    int count = 0;
    order->taken(thread, lock, pc, [&](const LockEdge&) { ++count; });
    return count;
  }
  // Takes both, the second one at `pc`, and gives them back.
  int both(ThreadId thread, uint64_t first, uint64_t second, uint64_t pc = 1) {
    lock(thread, first);
    const int count = lock(thread, second, pc);
    order->given_back(thread, second);
    order->given_back(thread, first);
    return count;
  }
};

TEST_F(Locks, OppositeOrders) {
  EXPECT_EQ(both(1, kA, kB), 0);
  EXPECT_EQ(both(2, kB, kA), 1);
  EXPECT_EQ(both(2, kB, kA), 0) << "it was told";
  EXPECT_EQ(both(2, kB, kA, 2), 1) << "at another place";
}

TEST_F(Locks, OneOrder) {
  EXPECT_EQ(both(1, kA, kB), 0);
  EXPECT_EQ(both(2, kA, kB), 0);
}

TEST_F(Locks, OneThreadAlone) {
  EXPECT_EQ(both(1, kA, kB), 0);
  EXPECT_EQ(both(1, kB, kA), 0);
}

TEST_F(Locks, AGateKeepsThemApart) {
  lock(1, kGate);
  both(1, kA, kB);
  order->given_back(1, kGate);
  lock(2, kGate);
  EXPECT_EQ(both(2, kB, kA), 0);
  order->given_back(2, kGate);
  EXPECT_EQ(both(2, kB, kA, 2), 1) << "without the gate";
}

TEST_F(Locks, ATryDoesNotWait) {
  both(1, kA, kB);
  lock(2, kB);
  order->hold(2, kA);
  order->given_back(2, kA);
  order->given_back(2, kB);
  EXPECT_EQ(both(1, kA, kB, 2), 0) << "a try makes no edge";
}

TEST_F(Locks, ARecursiveLockIsHeldUntilItsLastUnlock) {
  lock(1, kA);
  EXPECT_EQ(lock(1, kA), 0);
  order->given_back(1, kA);
  lock(1, kB);
  order->given_back(1, kB);
  order->given_back(1, kA);
  EXPECT_EQ(both(2, kB, kA), 1);
}

TEST_F(Locks, AThreadThatHadEndedBefore) {
  both(1, kA, kB);
  order->ended(1);
  order->created(3);
  EXPECT_EQ(both(3, kB, kA), 0);
  EXPECT_EQ(both(2, kB, kA), 1) << "this one lived beside it";
}

TEST_F(Locks, ASlotThatIsUsedAgainIsAnotherThread) {
  both(1, kA, kB);
  order->ended(1);
  order->created(1);
  EXPECT_EQ(both(1, kB, kA), 0) << "the first one had ended";
}

TEST_F(Locks, WhatDoesNotFitIsNotKept) {
  for (uint64_t i = 1; i < 200; ++i) both(1, 1000 * i, 1000 * i + 8, i);
  EXPECT_EQ(both(2, 1008, 1000), 1) << "an early one";
  EXPECT_EQ(both(2, 199'008, 199'000), 0);
}

}  // namespace
}  // namespace snarl::detect
