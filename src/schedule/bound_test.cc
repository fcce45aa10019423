#include "schedule/bound.h"

#include <gtest/gtest.h>

namespace snarl {
namespace {

TEST(Bound, IsTheTheorems) {
  EXPECT_DOUBLE_EQ(hit_chance(4, 100, 1), 0.25);
  EXPECT_DOUBLE_EQ(hit_chance(4, 100, 3), 1.0 / 40'000);
}

TEST(Bound, AddsUpOverRuns) {
  PctBound bound(2);
  EXPECT_DOUBLE_EQ(bound.probability(), 0);
  for (int i = 0; i < 1000; ++i) bound.count(2, 50, 2, 50, true);
  EXPECT_EQ(bound.counted(), 1000u);
  EXPECT_NEAR(bound.probability(), 1 - std::pow(0.99, 1000), 1e-12);
}

TEST(Bound, KeepsTinyChances) {
  PctBound bound(4);
  for (int i = 0; i < 10; ++i) bound.count(10, 100'000, 2, 50, true);
  EXPECT_NEAR(bound.probability(), 1e-15, 1e-17);
}

TEST(Bound, CountsNoRunThatOutgrewItsPlan) {
  PctBound bound(2);
  bound.count(2, 50, 3, 50, true);
  bound.count(2, 50, 2, 51, true);
  bound.count(2, 50, 2, 50, false);
  EXPECT_EQ(bound.counted(), 0u);
}

TEST(Bound, OneThreadAndDepthOneIsCertain) {
  PctBound bound(1);
  bound.count(1, 1, 1, 1, true);
  EXPECT_DOUBLE_EQ(bound.probability(), 1);
}

}  // namespace
}  // namespace snarl
