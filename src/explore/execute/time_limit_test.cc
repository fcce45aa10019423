#include "explore/execute/time_limit.h"

#include <gtest/gtest.h>

#include <thread>

#include "os/cores.h"
#include "os/pinned.h"
#include "os/test_child.h"

namespace snarl::explore {
namespace {

// Ten seconds, from 100 on.
class TimeLimitTest : public testing::Test {
 protected:
  TimeLimitTest() { limit.begin(100, 10, Sharing::kInTurn); }
  TimeLimit limit;
};

TEST_F(TimeLimitTest, IsLookedAtWhenItIsOver) {
  EXPECT_DOUBLE_EQ(limit.look_at(), 110);
  EXPECT_TRUE(limit.is_over(110.1, {.waited = 0, .ready = {}}));
}

TEST_F(TimeLimitTest, WaitingForACoreDoesNotCount) {
  EXPECT_FALSE(limit.is_over(111, {.waited = 25, .ready = {}}));
  EXPECT_DOUBLE_EQ(limit.look_at(), 135);
  EXPECT_TRUE(limit.is_over(135.1, {.waited = 25, .ready = {}}));
}

TEST_F(TimeLimitTest, WhatWasWaitedBeforeIsNoneOfIt) {
  limit.begin(100, 10, Sharing::kInTurn, 25);
  EXPECT_FALSE(limit.is_over(111, {.waited = 27, .ready = {}}));
  EXPECT_TRUE(limit.is_over(112.1, {.waited = 27, .ready = {}}));
}

// The kernel counts a wait when it is over.
TEST_F(TimeLimitTest, NobodyIsEndedWhileItWaits) {
  EXPECT_FALSE(limit.is_over(111, {.waited = 0, .ready = {{1, 7}}}));
  EXPECT_NEAR(limit.look_at(), 111, 0.02);
  EXPECT_FALSE(limit.is_over(112, {.waited = 0, .ready = {{1, 7}}}));
  EXPECT_TRUE(limit.is_over(113, {.waited = 0, .ready = {{1, 8}}}));
}

// On a busy machine we get no core for a while ourselves. What it waits for now, it may have waited for all that time.
TEST_F(TimeLimitTest, WhoLooksLateDoesNotBlameTheRun) {
  EXPECT_FALSE(limit.is_over(111, {.waited = 1, .ready = {{1, 7}}}));
  EXPECT_FALSE(limit.is_over(114, {.waited = 2, .ready = {{1, 8}}}));
  EXPECT_FALSE(limit.is_over(114.02, {.waited = 4.5, .ready = {{1, 9}}}));
  EXPECT_TRUE(limit.is_over(114.6, {.waited = 4.5, .ready = {}}));
}

TEST_F(TimeLimitTest, WhenTheMachineStoodStillTheRunGetsItsTimeAgain) {
  EXPECT_FALSE(limit.is_over(122, {.waited = 0, .ready = {}}));
  EXPECT_DOUBLE_EQ(limit.look_at(), 132);
  EXPECT_TRUE(limit.is_over(132.1, {.waited = 0, .ready = {}}));
}

TEST_F(TimeLimitTest, IsNotProlongedForEver) {
  EXPECT_FALSE(limit.is_over(299, {.waited = 1e6, .ready = {{1, 7}}}));
  EXPECT_TRUE(limit.is_over(301, {.waited = 1e6, .ready = {{1, 7}}}));
}

// One that is always at work says nothing about the other.
TEST_F(TimeLimitTest, SideBySideNobodyIsEndedWhileAnyWaits) {
  limit.begin(100, 10, Sharing::kSideBySide);
  EXPECT_FALSE(limit.is_over(110.1, {.waited = 0, .ready = {{1, 7}, {2, 3}}}));
  EXPECT_NEAR(limit.look_at(), 110.35, 0.01);
  EXPECT_FALSE(limit.is_over(110.4, {.waited = 0, .ready = {{1, 8}, {2, 3}}}));
  EXPECT_FALSE(limit.is_over(119.1, {.waited = 9, .ready = {{1, 9}, {2, 4}}}));
  EXPECT_TRUE(limit.is_over(119.4, {.waited = 9, .ready = {{1, 10}}}));
}

TEST_F(TimeLimitTest, SideBySideTheyEndThoughAllAreAtWork) {
  limit.begin(100, 10, Sharing::kSideBySide);
  EXPECT_FALSE(limit.is_over(110.1, {.waited = 0, .ready = {{1, 7}, {2, 3}}}));
  EXPECT_TRUE(limit.is_over(110.4, {.waited = 0, .ready = {{1, 8}, {2, 4}}}));
}

CoreUse in_turn(pid_t pid) { return core_use_of(pid, Sharing::kInTurn); }

TEST(CoreUse, TellsWaitingFromSleepingAndFromWork) {
  const os::Pinned here(os::allowed_cores().back());  // the children inherit it
  const os::TestChild sleeper([] { pause(); }), one([] {}), other([] {});
  while (in_turn(one.pid()).waited < 0.02 || in_turn(other.pid()).waited < 0.02) usleep(1000);
  while (!in_turn(sleeper.pid()).ready.empty()) usleep(1000);
  ASSERT_EQ(in_turn(one.pid()).ready.size(), 1u);
  EXPECT_EQ(in_turn(one.pid()).ready[0].thread, one.pid());
  EXPECT_GT(in_turn(one.pid()).ready[0].ran, 0u);
  EXPECT_EQ(in_turn(sleeper.pid()).waited, in_turn(sleeper.pid()).waited);
}

// Two threads that have both waited: one after the other it is longer.
TEST(CoreUse, SideBySideTheLongestWaitCounts) {
  const os::Pinned here(os::allowed_cores().back());
  const os::TestChild both([] {
    const auto work = [] {
      for (volatile bool stays = true; stays;) {
      }
    };
    std::thread(work).detach();
    work();
  });
  while (core_use_of(both.pid(), Sharing::kSideBySide).waited < 0.02) usleep(1000);
  const double longest = core_use_of(both.pid(), Sharing::kSideBySide).waited;
  EXPECT_GT(in_turn(both.pid()).waited, longest);
}

TEST(CoreUse, OfNobodyIsNothing) {
  EXPECT_EQ(in_turn(0x7ffffff0).waited, 0);
  EXPECT_TRUE(in_turn(0x7ffffff0).ready.empty());
}

}  // namespace
}  // namespace snarl::explore
