#include "conduct/spread.h"

#include <gtest/gtest.h>

namespace snarl::conduct {
namespace {

constexpr uint64_t kMicrosecond = 1000;

// Threads that hand on to each other; with each wake two can run for `overlap` and one for as long again.
class SpreadTest : public testing::Test {
 protected:
  bool hand_on(uint64_t times, uint64_t overlap) {
    bool changed = false;
    for (uint64_t i = 0; i < times; ++i) {
      spread_.woke();
      changed |= spread_.changed(2, now_ += overlap + kMicrosecond);
      changed |= spread_.changed(1, now_ += overlap);
    }
    return changed;
  }

  Spread spread_;
  uint64_t now_ = 0;
};

TEST_F(SpreadTest, HandingOnGathersAfterAWindow) {
  EXPECT_FALSE(hand_on(Spread::kWindow - 1, kMicrosecond));
  EXPECT_FALSE(spread_.gathered());
  EXPECT_TRUE(hand_on(1, kMicrosecond));
  EXPECT_TRUE(spread_.gathered());
}

TEST_F(SpreadTest, WorkSideBySideScatters) {
  hand_on(Spread::kWindow, kMicrosecond);
  EXPECT_TRUE(hand_on(Spread::kWindow, 3 * Spread::kFarWake));
  EXPECT_FALSE(spread_.gathered());
}

TEST_F(SpreadTest, WorkSideBySideIsNeverGathered) { EXPECT_FALSE(hand_on(10 * Spread::kWindow, 3 * Spread::kFarWake)); }

TEST_F(SpreadTest, BetweenTheTwoLimitsNothingChanges) {
  const uint64_t between = 3 * Spread::kFarWake / 2;
  EXPECT_FALSE(hand_on(10 * Spread::kWindow, between));
  hand_on(Spread::kWindow, kMicrosecond);
  ASSERT_TRUE(spread_.gathered());
  EXPECT_FALSE(hand_on(10 * Spread::kWindow, between));
}

TEST_F(SpreadTest, ALookFindsTwoAtWorkOnOneCore) {
  hand_on(Spread::kWindow, kMicrosecond);
  ASSERT_TRUE(spread_.gathered());
  EXPECT_FALSE(spread_.looked(now_ + 2 * Spread::kLongest)) << "one alone may be as long as it likes";
  spread_.changed(2, now_);
  EXPECT_FALSE(spread_.looked(now_ + Spread::kLongest));
  EXPECT_TRUE(spread_.looked(now_ + Spread::kLongest + 1));
  EXPECT_FALSE(spread_.gathered());
}

TEST_F(SpreadTest, OnlyWhatMattersIsAskedFor) {
  EXPECT_FALSE(spread_.wants_to_know(1));
  EXPECT_TRUE(spread_.wants_to_know(2));
  spread_.changed(2, 1);
  EXPECT_FALSE(spread_.wants_to_know(3));
  for (uint64_t i = 0; i < Spread::kWindow; ++i) spread_.woke();
  EXPECT_TRUE(spread_.wants_to_know(3));
}

}  // namespace
}  // namespace snarl::conduct
