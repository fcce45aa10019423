#include "conduct/crew.h"

#include <gtest/gtest.h>

#include <vector>

namespace snarl::conduct {
namespace {

// Ranks by ordinal; threads of rank <= 10 are low.
class CrewTest : public testing::Test {
 protected:
  void begin(std::vector<policy::Rank> ranks) {
    ranks_ = std::move(ranks);
    policy::Plan plan;
    plan.ranks = ranks_;
    plan.parallel_above = 10;
    crew_.begin(plan);
    for (uint32_t i = 1; i < ranks_.size(); ++i) crew_.spawned(static_cast<ThreadId>(i), i);
  }

  std::vector<policy::Rank> ranks_;
  Crew crew_;
};

TEST_F(CrewTest, NoLowThreadStepsWhileAHighOneIsEnabled) {
  begin({20, 30, 10});
  EXPECT_EQ(crew_.admit(), kNoThread);
  crew_.block(0);
  EXPECT_EQ(crew_.admit(), kNoThread);
  crew_.block(1);
  EXPECT_EQ(crew_.admit(), 2);
  EXPECT_EQ(crew_.admit(), kNoThread) << "it is in its step";
}

TEST_F(CrewTest, TheEnabledHighThreadCountsBeforeTheLowStepEnds) {
  begin({20, 10});
  crew_.block(0);
  ASSERT_EQ(crew_.admit(), 1);
  crew_.enable(0);
  crew_.rest(1);
  EXPECT_EQ(crew_.admit(), kNoThread);
}

TEST_F(CrewTest, OfSeveralLowThreadsTheHighestRankGoesFirst) {
  begin({20, 3, 9, 5});
  crew_.block(0);
  EXPECT_EQ(crew_.admit(), 2);
  crew_.block(2);
  EXPECT_EQ(crew_.admit(), 3);
  crew_.enable(2);
  EXPECT_EQ(crew_.admit(), kNoThread) << "3 is still in its step";
  crew_.rest(3);
  EXPECT_EQ(crew_.admit(), 2);
}

TEST_F(CrewTest, WhoIsStuckInItsStepIsLeftAlone) {
  begin({20, 9, 5});
  crew_.block(0);
  ASSERT_EQ(crew_.admit(), 1);
  crew_.leave_alone(1);
  EXPECT_TRUE(crew_.is_away(1));
  EXPECT_EQ(crew_.admit(), 2);
  EXPECT_EQ(crew_.running(), 2);
  crew_.rest(2);
  EXPECT_EQ(crew_.admit(), 2) << "1 is not at a point";
  crew_.rest(1);
  EXPECT_FALSE(crew_.is_away(1));
  crew_.rest(2);
  EXPECT_EQ(crew_.admit(), 1);
}

TEST_F(CrewTest, WhoIsStuckMayBlockOrEnd) {
  begin({20, 9, 5});
  crew_.block(0);
  ASSERT_EQ(crew_.admit(), 1);
  crew_.leave_alone(1);
  ASSERT_EQ(crew_.admit(), 2);
  crew_.block(1);
  EXPECT_FALSE(crew_.is_away(1));
  EXPECT_EQ(crew_.running(), 1);
}

TEST_F(CrewTest, AHighThreadThatIsLeftAloneKeepsNobodyWaiting) {
  begin({20, 30, 10});
  crew_.block(1);
  EXPECT_TRUE(crew_.is_before_others(0));
  crew_.leave_alone(0);
  EXPECT_FALSE(crew_.is_before_others(0));
  EXPECT_EQ(crew_.high_enabled(), 0);
  EXPECT_EQ(crew_.admit(), 2);
  EXPECT_EQ(crew_.running(), 2);
  crew_.rest(0);
  crew_.rest(2);
  EXPECT_EQ(crew_.high_enabled(), 1);
  EXPECT_EQ(crew_.admit(), kNoThread);
  crew_.leave_alone(0);
  crew_.block(0);
  EXPECT_EQ(crew_.high_enabled(), 0);
  crew_.enable(0);
  crew_.leave_alone(0);
  crew_.lower(0, 4);
  EXPECT_EQ(crew_.high_enabled(), 0);
  EXPECT_FALSE(crew_.is_away(0));
}

TEST_F(CrewTest, ALoweredThreadWaitsForTheOthers) {
  begin({20, 30});
  crew_.lower(1, 4);
  EXPECT_FALSE(crew_.is_high(1));
  crew_.rest(1);
  EXPECT_EQ(crew_.admit(), kNoThread);
  crew_.ended(0);
  EXPECT_EQ(crew_.admit(), 1);
}

TEST_F(CrewTest, MainMayBeLowAndIsThenInItsStep) {
  begin({10, 20});
  EXPECT_TRUE(crew_.is_stepping(kMainThread));
  crew_.rest(kMainThread);
  EXPECT_EQ(crew_.admit(), kNoThread);
  crew_.ended(1);
  EXPECT_EQ(crew_.admit(), kMainThread);
}

TEST_F(CrewTest, AStarvingThreadIsChosenUniformlyForOneStep) {
  begin({20, 3, 9, 5});
  Rng rng(7);
  int chosen[4] = {};
  for (int i = 0; i < 3000; ++i) {
    const ThreadId t = crew_.admit_starving(rng);
    ASSERT_NE(t, kNoThread);
    ++chosen[t];
    EXPECT_EQ(crew_.admit_starving(rng), kNoThread);
    crew_.rest(t);
    EXPECT_EQ(crew_.admit(), kNoThread) << "the high thread is enabled";
  }
  for (int t = 1; t < 4; ++t) EXPECT_NEAR(chosen[t], 1000, 200) << "eight standard deviations";
  EXPECT_EQ(chosen[0], 0);
  for (int i = 0; i < 100; ++i) {
    const ThreadId t = crew_.admit_starving(rng, 2);
    EXPECT_NE(t, 2) << "whoever makes way";
    crew_.rest(t);
  }
}

TEST_F(CrewTest, CountsWhoIsEnabled) {
  begin({20, 10});
  EXPECT_TRUE(crew_.others_enabled(0));
  crew_.block(1);
  EXPECT_FALSE(crew_.others_enabled(0));
  crew_.block(0);
  EXPECT_FALSE(crew_.anybody_enabled());
  EXPECT_EQ(crew_.high_enabled(), 0);
  EXPECT_EQ(crew_.live_count(), 2);
}

}  // namespace
}  // namespace snarl::conduct
