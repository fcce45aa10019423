#include "schedule/access.h"

#include <gtest/gtest.h>

namespace snarl {
namespace {

Op on(OpKind kind, uint64_t object, uint64_t second = 0) {
  return Op{.kind = kind, .object = object, .second = second};
}

TEST(Access, OrderMattersForTheSameObjectAndAWrite) {
  EXPECT_TRUE(conflict(on(OpKind::kLock, 1), on(OpKind::kLock, 1)));
  EXPECT_FALSE(conflict(on(OpKind::kLock, 1), on(OpKind::kLock, 2)));
  EXPECT_TRUE(conflict(on(OpKind::kTryLock, 1), on(OpKind::kLock, 1)));
  EXPECT_FALSE(conflict(on(OpKind::kReadLock, 1), on(OpKind::kReadLock, 1)));
  EXPECT_TRUE(conflict(on(OpKind::kReadLock, 1), on(OpKind::kWriteLock, 1)));
  EXPECT_TRUE(conflict(on(OpKind::kSignal, 1), on(OpKind::kWait, 1, 2)));
  EXPECT_TRUE(conflict(on(OpKind::kLock, 2), on(OpKind::kReacquire, 1, 2))) << "the mutex of a condition wait";
}

TEST(Access, WhatTouchesNothingNeverConflicts) {
  for (OpKind kind : {OpKind::kAfter, OpKind::kYield, OpKind::kStart, OpKind::kExit, OpKind::kUnlock, OpKind::kJoin}) {
    EXPECT_FALSE(conflict(on(kind, 1), on(OpKind::kLock, 1)));
    EXPECT_FALSE(conflict(on(OpKind::kLock, 1), on(kind, 1)));
    EXPECT_EQ(accessed_object(on(kind, 1)), 0u);
  }
  EXPECT_FALSE(conflict(on(OpKind::kLock, 0), on(OpKind::kLock, 0))) << "no object is no object";
}

TEST(Access, ConflictIsSymmetric) {
  for (int a = 0; a < static_cast<int>(OpKind::kCount); ++a)
    for (int b = 0; b < static_cast<int>(OpKind::kCount); ++b)
      for (uint64_t object : {1u, 2u}) {
        const Op x = on(static_cast<OpKind>(a), 1, 2), y = on(static_cast<OpKind>(b), object, 3);
        EXPECT_EQ(conflict(x, y), conflict(y, x)) << a << " " << b;
      }
}

TEST(Access, LocksAreTakenAndGivenBack) {
  EXPECT_TRUE(is_acquisition(on(OpKind::kWriteLock, 1)));
  EXPECT_FALSE(is_acquisition(on(OpKind::kUnlock, 1)));
  EXPECT_EQ(released_by(on(OpKind::kUnlock, 1)), 1u);
  EXPECT_EQ(released_by(on(OpKind::kWait, 1, 2)), 2u);
  EXPECT_EQ(released_by(on(OpKind::kLock, 1)), 0u);
  EXPECT_EQ(accessed_object(on(OpKind::kReacquire, 1, 2)), 2u);
}

}  // namespace
}  // namespace snarl
