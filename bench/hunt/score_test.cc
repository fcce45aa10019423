#include "score.h"

#include <gtest/gtest.h>

#include "split.h"

namespace snarl::bench {
namespace {

Attempt found_after(double schedules) { return {.found = true, .schedules = schedules, .seconds = 0.5}; }

TEST(Score, OfSeedsThatAllFindIt) {
  const Score score = score_of({found_after(1), found_after(10), found_after(100)});
  EXPECT_TRUE(score.always());
  EXPECT_NEAR(score.schedules, 10, 1e-9);
  EXPECT_DOUBLE_EQ(score.seconds, 1.5);
}

TEST(Score, AMissCountsForTenThousandHoweverEarlyItWasGivenUp) {
  const Score score = score_of({found_after(1), {.out_of_time = true, .schedules = 7}, {.schedules = 2000}});
  EXPECT_FALSE(score.always());
  EXPECT_EQ(score.found, 1);
  EXPECT_EQ(score.out_of_time, 1);
  EXPECT_NEAR(score.schedules, 464.159, 1e-3);  // the third root of 1e8
}

TEST(Score, NoAttemptIsNoSuccess) { EXPECT_FALSE(score_of({}).always()); }

TEST(Score, TheBestIsWhoNeedsTheFewestAndWasThere) {
  const std::vector<Score> scores = {score_of({}), score_of({found_after(9)}), score_of({found_after(3)}),
                                     score_of({found_after(3)})};
  EXPECT_EQ(best_of(scores), 2u);
}

TEST(Score, BehindByThreeTimesAndFive) {
  const Score best = score_of({found_after(10)});
  EXPECT_DOUBLE_EQ(behind(score_of({found_after(35)}), best), 1);
  EXPECT_GT(behind(score_of({found_after(36)}), best), 1);
  EXPECT_LT(behind(best, best), 1);
}

// Values of a script that shares nothing with split.h. They may never change: a half is not chosen after the figures.
TEST(Split, IsTheParityOfTheNameWithoutItsSize) {
  for (const char* program : {"account_3", "account_100", "stack_reuse_20", "two_places_3"})
    EXPECT_EQ(half_of(program), Half::kTuning) << program;
  for (const char* program : {"bakery_3", "latch_3", "latch_100", "philosophers_5"})
    EXPECT_EQ(half_of(program), Half::kReporting) << program;
}

}  // namespace
}  // namespace snarl::bench
