#include "detect/detector.h"

#include <gtest/gtest.h>

#include "detect/test_detector.h"

namespace snarl::detect {
namespace {

constexpr uint64_t kData = 64, kFlag = 128, kObject = 256;

struct Two : TestDetector, testing::Test {
  Two() {
    detector->created(0, 1);
    detector->created(0, 2);
  }
};

TEST_F(Two, UnorderedWritesRace) {
  EXPECT_EQ(write(1), 0);
  EXPECT_EQ(write(2), 1);
}

TEST_F(Two, ReadsDoNotRace) {
  EXPECT_EQ(read(1), 0);
  EXPECT_EQ(read(2), 0);
  EXPECT_EQ(write(1), 1);
}

TEST_F(Two, NeighbouringBytesDoNotRace) {
  EXPECT_EQ(write(1, kData, 4), 0);
  EXPECT_EQ(write(2, kData + 4, 4), 0);
  EXPECT_EQ(write(2, kData + 3, 2), 1) << "a partial overlap";
}

TEST_F(Two, ALongAccessTouchesEveryGranule) {
  EXPECT_EQ(write(1, kData + 20, 1), 0);
  EXPECT_EQ(read(2, kData + 3, 40), 1);
}

TEST_F(Two, CreationAndJoinOrder) {
  EXPECT_EQ(write(0), 0) << "after the creation";
  EXPECT_EQ(read(1), 1);
  EXPECT_EQ(write(1, 512), 0);
  join(0, 1);
  EXPECT_EQ(write(0, 512), 0);
}

TEST_F(Two, ARelaxedFlagIsNamed) {
  write(1);
  detector->store(1, kFlag, MemoryOrder::kRelaxed, 11);
  detector->load(2, kFlag, MemoryOrder::kAcquire, 22);
  ASSERT_EQ(read(2), 1);
  ASSERT_TRUE(told[0].weak);
  const WeakLink* link = detector->link_of(2, told[0]);
  ASSERT_NE(link, nullptr);
  EXPECT_EQ(link->address, kFlag);
  EXPECT_EQ(link->store_pc, 11u);
  EXPECT_EQ(link->load_pc, 22u);
  EXPECT_EQ(link->store, MemoryOrder::kRelaxed);
  EXPECT_EQ(link->load, MemoryOrder::kAcquire);
}

TEST_F(Two, AFlagThatAnotherThreadHandsOn) {
  detector->created(0, 3);
  write(1);
  detector->store(1, kFlag, MemoryOrder::kRelease, 11);
  detector->load(2, kFlag, MemoryOrder::kRelaxed, 22);
  call(2, OpKind::kUnlock, kObject);
  call(3, OpKind::kLock, kObject);
  ASSERT_EQ(read(3), 1);
  ASSERT_TRUE(told[0].weak);
  const WeakLink* link = detector->link_of(3, told[0]);
  ASSERT_NE(link, nullptr);
  EXPECT_EQ(link->load_pc, 22u);
}

TEST_F(Two, WhatNothingOrdersIsNotWeak) {
  detector->store(1, kFlag, MemoryOrder::kRelaxed);
  write(1);
  detector->load(2, kFlag, MemoryOrder::kRelaxed);
  ASSERT_EQ(read(2), 1) << "the write comes after the store";
  EXPECT_FALSE(told[0].weak);
}

TEST_F(Two, ALockOrders) {
  call(1, OpKind::kLock, kObject);
  write(1);
  call(1, OpKind::kUnlock, kObject);
  call(2, OpKind::kTryLock, kObject, 16);
  EXPECT_EQ(read(2), 1) << "the try failed";
  call(2, OpKind::kTryLock, kObject);
  EXPECT_EQ(write(2, 512), 0);
}

TEST_F(Two, ALockOrdersWhatIsUnderIt) {
  call(1, OpKind::kLock, kObject);
  write(1);
  call(1, OpKind::kUnlock, kObject);
  call(2, OpKind::kLock, kObject);
  EXPECT_EQ(write(2), 0);
}

TEST_F(Two, ReadersOfALockAreNotOrdered) {
  call(1, OpKind::kReadLock, kObject);
  write(1);
  call(1, OpKind::kRwUnlock, kObject);
  call(2, OpKind::kReadLock, kObject);
  EXPECT_EQ(read(2), 1);
  call(2, OpKind::kRwUnlock, kObject);
  call(0, OpKind::kWriteLock, kObject);
  EXPECT_EQ(write(0), 0) << "both readers come before the writer";
}

TEST_F(Two, ABarrierOrdersBothWays) {
  write(1, kData), write(2, 512);
  call(1, OpKind::kBarrierWait, kObject);
  call(2, OpKind::kBarrierWait, kObject);
  call(1, OpKind::kBarrierPass, kObject);
  EXPECT_EQ(read(1, 512), 0);
  EXPECT_EQ(read(2, kData), 0);
}

TEST_F(Two, ASemaphoreOrders) {
  write(1);
  call(1, OpKind::kSemPost, kObject);
  call(2, OpKind::kSemWait, kObject);
  EXPECT_EQ(write(2), 0);
}

TEST_F(Two, ASignalOfAConditionVariableAloneDoesNotOrder) {
  write(1);
  call(1, OpKind::kSignal, kObject);
  call(2, OpKind::kReacquire, kObject);
  EXPECT_EQ(write(2), 1);
}

TEST_F(Two, ReleaseAndAcquireOrderAndRelaxedDoesNot) {
  write(1);
  detector->store(1, kFlag, MemoryOrder::kRelease);
  detector->load(2, kFlag, MemoryOrder::kConsume);
  EXPECT_EQ(read(2), 0);
  write(2, 512);
  detector->store(2, kFlag, MemoryOrder::kRelaxed);
  detector->load(1, kFlag, MemoryOrder::kAcquire);
  EXPECT_EQ(read(1, 512), 1);
}

TEST_F(Two, AReleaseSequenceIsContinuedByUpdatesAndEndedByStores) {
  write(1);
  detector->store(1, kFlag, MemoryOrder::kRelease);
  detector->update(0, kFlag, MemoryOrder::kRelaxed);
  detector->load(2, kFlag, MemoryOrder::kAcquire);
  EXPECT_EQ(read(2), 0);
  write(1, 512);
  detector->store(1, kFlag, MemoryOrder::kRelease);
  detector->store(1, kFlag, MemoryOrder::kRelaxed);
  detector->load(2, kFlag, MemoryOrder::kAcquire);
  EXPECT_EQ(read(2, 512), 1) << "C++20: also a store of the same thread ends it";
}

TEST_F(Two, FencesOrderRelaxedOperations) {
  write(1);
  detector->fence(1, MemoryOrder::kRelease);
  detector->store(1, kFlag, MemoryOrder::kRelaxed);
  detector->load(2, kFlag, MemoryOrder::kRelaxed);
  EXPECT_EQ(read(2, 512), 0);
  detector->fence(2, MemoryOrder::kAcquire);
  EXPECT_EQ(read(2), 0);
}

TEST_F(Two, AtomicsRaceOnlyWithPlainAccesses) {
  EXPECT_EQ(access(1, kData, 4, true, true), 0);
  EXPECT_EQ(access(2, kData, 4, true, true), 0);
  EXPECT_EQ(read(0, kData, 4), 2);
}

TEST_F(Two, ForgottenMemoryDoesNotRace) {
  write(1, kData, 64);
  detector->forget(kData, 64);
  EXPECT_EQ(write(2, kData, 64), 0);
}

TEST_F(Two, AnAreaLargerThanTheTableIsForgotten) {
  write(1, kData, 8);
  write(1, kData + (1 << 20), 8);
  detector->forget(kData + 8, 1 << 20);
  EXPECT_EQ(write(2, kData + (1 << 20), 8), 0);
  EXPECT_EQ(write(2, kData, 8), 1) << "just before it";
}

TEST_F(Two, FreedMemoryIsNobodys) {
  write(1, kData, 32);
  const auto keep = [](const Record&) {};
  detector->free(1, kData, 32, 77, keep);
  ASSERT_EQ(read(1, kData + 8), 1) << "though the same thread freed it";
  EXPECT_TRUE(told[0].freed);
  EXPECT_EQ(told[0].earlier.pc, 77u);
  EXPECT_EQ(read(2, kData + 31, 8), 1) << "a partial overlap";
  EXPECT_EQ(read(2, kData + 32), 0);
  ASSERT_NE(detector->freed_at(kData), nullptr);
  detector->forget(kData, 32);
  EXPECT_EQ(detector->freed_at(kData), nullptr);
  EXPECT_EQ(write(2, kData, 32), 0) << "it was allocated again";
}

TEST_F(Two, ASlotThatIsUsedAgainIsAnotherThread) {
  write(1);
  join(0, 1);
  detector->ended(1);
  detector->created(0, 1);
  EXPECT_EQ(write(1), 0);
  ASSERT_EQ(write(2), 1);
  EXPECT_FALSE(told[0].gone) << "the new thread lives";
}

TEST(Detector, SaysWhenItsMemoryIsUsedUpAndReportsNothingMore) {
  TestDetector small;
  small.clocks.resize(8);
  small.detector = std::make_unique<Detector>(Memory{small.clocks, small.cells, small.syncs});
  small->created(0, 1);
  small->created(0, 7);
  EXPECT_TRUE(small->is_full());
  EXPECT_EQ(small.write(1), 0);
  EXPECT_EQ(small.write(7), 0);
}

}  // namespace
}  // namespace snarl::detect
