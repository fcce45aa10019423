#include "schedule/bound.h"

#include <gtest/gtest.h>

namespace snarl {
namespace {

constexpr Met kNothing;

void count(PctBound& bound, int runs, const Planned& planned, const Met& met = kNothing) {
  for (int i = 0; i < runs; ++i) bound.count(planned, met);
}

TEST(Bound, IsTheTheorems) {
  EXPECT_DOUBLE_EQ(hit_chance({4, 100}, 1), 0.25);
  EXPECT_DOUBLE_EQ(hit_chance({4, 100}, 3), 1.0 / 40'000);
}

TEST(Bound, FairnessAndEarlyDeadlinesTakeTheirPart) {
  EXPECT_DOUBLE_EQ(hit_chance({2, 2, 0.1}, 2), 0.81 / 4);
  EXPECT_DOUBLE_EQ(hit_chance({2, 2}, 2, 0.25), 0.75 / 4);
  EXPECT_DOUBLE_EQ(hit_chance({2, 2, 1}, 2), 0);
  PctBound bound(2);
  count(bound, 10, {2, 50});
  EXPECT_LT(bound.claim(0.25).probability, bound.claim(0).probability);
}

TEST(Bound, AddsUpOverRuns) {
  PctBound bound(2);
  EXPECT_DOUBLE_EQ(bound.claim(0).probability, 0);
  count(bound, 1000, {2, 50});
  EXPECT_EQ(bound.claim(0).counted, 1000u);
  EXPECT_NEAR(bound.claim(0).probability, 1 - std::pow(0.99, 1000), 1e-12);
}

TEST(Bound, KeepsTinyChances) {
  PctBound bound(4);
  count(bound, 10, {10, 100'000});
  EXPECT_NEAR(bound.claim(0).probability, 1e-15, 1e-17);
}

// Leaving out runs for what they met would leave out those that miss.
TEST(Bound, EveryRunCountsWhateverItMet) {
  PctBound bound(2);
  count(bound, 10, {2, 50}, {.time_out = 1});
  count(bound, 10, {2, 50}, {.passed_over = 1, .starvation = 1});
  count(bound, 5, {2, 50}, {.watchdog = 1});
  const Claim claim = bound.claim(0);
  EXPECT_EQ(claim.counted, 25u);
  EXPECT_EQ(claim.met.time_out, 10u);
  EXPECT_EQ(claim.met.passed_over, 10u);
  EXPECT_EQ(claim.met.starvation, 10u);
  EXPECT_EQ(claim.met.watchdog, 5u);
}

TEST(Bound, RunsPlannedWithLessCountNothing) {
  PctBound bound(2);
  count(bound, 100, {2, 50}, {.time_out = 1});
  count(bound, 7, {2, 60});
  count(bound, 5, {3, 60});
  EXPECT_EQ(bound.claim_for(3, 60, 0).counted, 5u);
  EXPECT_EQ(bound.claim_for(3, 60, 0).met.time_out, 0u);
  EXPECT_NEAR(bound.claim_for(3, 60, 0).probability, 1 - std::pow(1 - 1 / 180.0, 5), 1e-12);
  EXPECT_EQ(bound.claim_for(2, 51, 0).counted, 12u);
  EXPECT_EQ(bound.claim_for(2, 50, 0).counted, 112u);
  EXPECT_NEAR(bound.claim_for(2, 50, 0).probability,
              1 - std::pow(1 - 1 / 100.0, 100) * std::pow(1 - 1 / 120.0, 7) * std::pow(1 - 1 / 180.0, 5), 1e-12);
  EXPECT_EQ(bound.claim_for(4, 1, 0).counted, 0u);
}

TEST(Bound, NamesTheLargestClassOfHalfTheRuns) {
  PctBound bound(2);
  count(bound, 64, {2, 50});
  count(bound, 10, {3, 60});
  EXPECT_EQ(bound.claim(0).threads, 2u);
  EXPECT_EQ(bound.claim(0).counted, 74u);
  count(bound, 60, {3, 60});
  EXPECT_EQ(bound.claim(0).threads, 3u);
  EXPECT_EQ(bound.claim(0).steps, 60u);
  EXPECT_EQ(bound.claim(0).counted, 70u);
}

TEST(Bound, OneThreadAndDepthOneIsCertain) {
  PctBound bound(1);
  count(bound, 1, {1, 1});
  EXPECT_DOUBLE_EQ(bound.claim(0).probability, 1);
}

}  // namespace
}  // namespace snarl
