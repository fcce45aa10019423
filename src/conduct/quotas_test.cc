#include "conduct/quotas.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "base/rng.h"

namespace snarl::conduct {
namespace {

// Takes all that `t` has, and rests.
uint64_t exhaust(Quotas& quotas, ThreadId t) {
  const uint64_t events = quotas.left(t);
  quotas.take(t, events);
  quotas.rest(t);
  return events;
}

TEST(Quotas, SharesAreLTimesTheSpeedWithFractionsCarried) {
  Quotas quotas;
  quotas.begin(128);
  quotas.add(0, 1);
  quotas.add(1, 0.3);
  quotas.add(2, 1. / 256);
  std::array<uint64_t, 3> taken{};
  for (int interval = 0; interval < 1000; ++interval) {
    for (ThreadId t = 0; t < 3; ++t)
      if (!quotas.is_resting(t)) taken[t] += exhaust(quotas, t);
    ASSERT_TRUE(quotas.is_over());
    quotas.next();
  }
  EXPECT_EQ(taken[0], 128'000u);
  EXPECT_NEAR(static_cast<double>(taken[1]), 38'400, 1);
  EXPECT_NEAR(static_cast<double>(taken[2]), 500, 1);
}

TEST(Quotas, AnIntervalEndsWhenNobodyCanWork) {
  Quotas quotas;
  quotas.begin(128);
  quotas.add(0, 1);
  quotas.add(1, 0.5);
  quotas.add(2, 0.5);
  exhaust(quotas, 1);
  EXPECT_FALSE(quotas.is_over());
  quotas.block(2);
  EXPECT_FALSE(quotas.is_over());
  exhaust(quotas, 0);
  ASSERT_TRUE(quotas.is_over());
  const ThreadSet woken = quotas.next();
  EXPECT_TRUE(woken.has(0) && woken.has(1));
  EXPECT_FALSE(woken.has(2));
  quotas.block(0);
  quotas.remove(1);
  EXPECT_FALSE(quotas.is_over()) << "nobody waits for the next one";
}

// Whatever it had left, and however long it was blocked.
TEST(Quotas, ABlockedThreadOwesAndOwnsNothing) {
  Quotas quotas;
  quotas.begin(128);
  quotas.add(0, 1);
  quotas.add(1, 0.5);
  quotas.take(1, 60);
  quotas.block(1);
  for (int interval = 0; interval < 50; ++interval) {
    exhaust(quotas, 0);
    quotas.next();
  }
  quotas.unblock(1);
  EXPECT_EQ(quotas.left(1), 64u);
  quotas.take(1, 3);  // of the interval in which it was blocked
  EXPECT_EQ(quotas.left(1), 64u);
  quotas.take(1, 3);
  EXPECT_EQ(quotas.left(1), 61u);
  quotas.block(1);
  quotas.unblock(1);
  EXPECT_EQ(quotas.left(1), 61u) << "the same interval: it has what it had";
}

TEST(Quotas, AThreadAloneRunsOnInLongIntervals) {
  Quotas quotas;
  quotas.begin(1024);
  quotas.add(0, 1);
  quotas.add(1, 1. / 128);
  quotas.block(0);
  EXPECT_EQ(exhaust(quotas, 1), 8u);
  ASSERT_TRUE(quotas.is_over());
  EXPECT_TRUE(quotas.next().has(1));
  EXPECT_EQ(quotas.left(1), 1024u);
}

// Threads that block and wake at random: while two are at work together, they advance by their speeds.
TEST(Quotas, RatiosHoldOverRandomBlocking) {
  Rng rng(5);
  Quotas quotas;
  quotas.begin(256);
  const double speeds[] = {1, 0.25, 0.6};
  for (ThreadId t = 0; t < 3; ++t) quotas.add(t, speeds[t]);
  std::array<double, 3> taken{};
  for (int interval = 0; interval < 3000; ++interval) {
    if (rng.below(2) == 0) {
      quotas.block(2);
      quotas.unblock(2);
    }
    for (ThreadId t = 0; t < 3; ++t) taken[t] += static_cast<double>(exhaust(quotas, t));
    quotas.next();
  }
  EXPECT_NEAR(taken[1] / taken[0], 0.25, 0.001);
  EXPECT_NEAR(taken[2] / taken[0], 0.6, 0.001);
}

}  // namespace
}  // namespace snarl::conduct
