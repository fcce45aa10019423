#include "coseq/simt/model.h"

#include <gtest/gtest.h>

namespace snarl::coseq::simt {
namespace {

// Two lanes that take a(5) together, then part: b(7), c(1) and c(2), b(7).
const Schedule kFirst = {{1, 5}, {2, 7}, {3, 1}}, kSecond = {{1, 5}, {3, 2}, {2, 7}};

TEST(WithoutMeeting, LanesRunTogetherUntilTheyPart) {
  const std::vector<Schedule> warp = {kFirst, kSecond};
  const WarpCost cost = without_meeting(warp);
  EXPECT_EQ(cost.cost, 5u + 7 + 1 + 2 + 7);
  EXPECT_EQ(cost.useful, 13u + 14);
  EXPECT_EQ(cost.distinct, 2u);
  EXPECT_DOUBLE_EQ(cost.efficiency(2), 27.0 / 44);
}

TEST(WithoutMeeting, LanesThatAreAlikeCostOne) {
  const std::vector<Schedule> warp(32, kFirst);
  EXPECT_EQ(without_meeting(warp).cost, 13u);
  EXPECT_EQ(without_meeting(warp).distinct, 1u);
  EXPECT_DOUBLE_EQ(without_meeting(warp).efficiency(32), 1);
}

TEST(WithoutMeeting, ALaneThatEndsEarlierIsAScheduleOfItsOwn) {
  const std::vector<Schedule> warp = {kFirst, {kFirst.begin(), kFirst.begin() + 2}};
  EXPECT_EQ(without_meeting(warp).cost, 13u);
  EXPECT_EQ(without_meeting(warp).distinct, 2u);
}

TEST(WithoutMeeting, WhoPartedStaysParted) {  // the second step is the same code, but has another past
  const std::vector<Schedule> warp = {{{1, 1}, {9, 10}}, {{2, 1}, {9, 10}}};
  EXPECT_EQ(without_meeting(warp).cost, 22u);
  EXPECT_EQ(with_meeting(warp, 0).cost, 12u);
}

TEST(WithMeeting, OfTheSameCodeTheLongestCounts) {
  const std::vector<Schedule> warp = {kFirst, kSecond};
  // a: 5; b and c: 7 + 2; c and b: 1 + 7; and the scheduler before each step.
  EXPECT_EQ(with_meeting(warp, 20).cost, 20u * 3 + 5 + 9 + 8);
  const std::vector<Schedule> unlike = {{{4, 3}}, {{4, 8}}};
  EXPECT_EQ(with_meeting(unlike, 1).cost, 9u);
}

TEST(Makespan, ABlockIsAsSlowAsItsSlowestWarp) {
  const std::vector<uint64_t> warps = {10, 1, 1, 10};
  EXPECT_EQ(makespan(warps, 1, 1), 22u);
  EXPECT_EQ(makespan(warps, 2, 1), 20u);
  EXPECT_EQ(makespan(warps, 4, 1), 10u);
  EXPECT_EQ(makespan(warps, 1, 2), 12u);  // 10 | 1 1 10
  EXPECT_EQ(makespan(warps, 2, 2), 10u);
  EXPECT_EQ(makespan(warps, 2, 3), 10u);
  EXPECT_EQ(makespan({}, 2, 3), 0u);
}

}  // namespace
}  // namespace snarl::coseq::simt
