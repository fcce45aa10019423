#include "explore/time_limit.h"

#include <gtest/gtest.h>

#include "explore/cores.h"
#include "explore/pinned.h"
#include "explore/test_child.h"

namespace snarl {
namespace {

// Ten seconds, from 100 on.
class TimeLimitTest : public testing::Test {
 protected:
  TimeLimitTest() { limit.begin(100, 10); }
  TimeLimit limit;
};

TEST_F(TimeLimitTest, IsLookedAtWhenItIsOver) {
  EXPECT_DOUBLE_EQ(limit.look_at(), 110);
  EXPECT_TRUE(limit.is_over(110.1, {.waited = 0, .ran = 7, .ready = false}));
}

TEST_F(TimeLimitTest, WaitingForACoreDoesNotCount) {
  EXPECT_FALSE(limit.is_over(111, {.waited = 25, .ran = 7, .ready = false}));
  EXPECT_DOUBLE_EQ(limit.look_at(), 135);
  EXPECT_TRUE(limit.is_over(135.1, {.waited = 25, .ran = 8, .ready = false}));
}

TEST_F(TimeLimitTest, WhatWasWaitedBeforeIsNoneOfIt) {
  limit.begin(100, 10, 25);
  EXPECT_FALSE(limit.is_over(111, {.waited = 27, .ran = 7, .ready = false}));
  EXPECT_TRUE(limit.is_over(112.1, {.waited = 27, .ran = 7, .ready = false}));
}

// The kernel counts a wait when it is over.
TEST_F(TimeLimitTest, NobodyIsEndedWhileItWaits) {
  EXPECT_FALSE(limit.is_over(111, {.waited = 0, .ran = 7, .ready = true}));
  EXPECT_NEAR(limit.look_at(), 111, 0.02);
  EXPECT_FALSE(limit.is_over(112, {.waited = 0, .ran = 7, .ready = true}));
  EXPECT_TRUE(limit.is_over(113, {.waited = 0, .ran = 8, .ready = true}));
}

// On a busy machine we get no core for a while ourselves. What it waits for now, it may have waited for all that time.
TEST_F(TimeLimitTest, WhoLooksLateDoesNotBlameTheRun) {
  EXPECT_FALSE(limit.is_over(111, {.waited = 1, .ran = 7, .ready = true}));
  EXPECT_FALSE(limit.is_over(114, {.waited = 2, .ran = 8, .ready = true}));
  EXPECT_FALSE(limit.is_over(114.02, {.waited = 4.5, .ran = 9, .ready = true}));
  EXPECT_TRUE(limit.is_over(114.6, {.waited = 4.5, .ran = 9, .ready = false}));
}

TEST_F(TimeLimitTest, IsNotProlongedForEver) {
  EXPECT_FALSE(limit.is_over(299, {.waited = 1e6, .ran = 7, .ready = true}));
  EXPECT_TRUE(limit.is_over(301, {.waited = 1e6, .ran = 7, .ready = true}));
}

TEST(CoreUse, TellsWaitingFromSleepingAndFromWork) {
  const Pinned here(allowed_cores().back());  // the children inherit it
  const TestChild sleeper([] { pause(); }), one([] {}), other([] {});
  while (core_use_of(one.pid()).waited < 0.02 || core_use_of(other.pid()).waited < 0.02) usleep(1000);
  while (core_use_of(sleeper.pid()).ready) usleep(1000);
  EXPECT_TRUE(core_use_of(one.pid()).ready);
  EXPECT_GT(core_use_of(one.pid()).ran, 0u);
  EXPECT_EQ(core_use_of(sleeper.pid()).waited, core_use_of(sleeper.pid()).waited);
}

TEST(CoreUse, OfNobodyIsNothing) {
  EXPECT_EQ(core_use_of(0x7ffffff0).ran, 0u);
  EXPECT_FALSE(core_use_of(0x7ffffff0).ready);
}

}  // namespace
}  // namespace snarl
