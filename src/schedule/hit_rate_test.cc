#include "schedule/hit_rate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/test_statistics.h"

namespace snarl {
namespace {

// Where all or none of the runs hit, the other end has a closed form: the tail of (1-p)^n.
TEST(ExactInterval, ClosedForms) {
  for (const uint64_t runs : {1u, 2u, 10u, 1'000u, 1'000'000u}) {
    const double end = -std::expm1(std::log(0.025) / static_cast<double>(runs));
    EXPECT_EQ(exact_interval(0, runs).low, 0);
    EXPECT_NEAR(exact_interval(0, runs).high, end, 1e-12);
    EXPECT_NEAR(exact_interval(runs, runs).low, 1 - end, 1e-9);
    EXPECT_EQ(exact_interval(runs, runs).high, 1);
  }
  EXPECT_EQ(exact_interval(0, 0).low, 0);
  EXPECT_EQ(exact_interval(0, 0).high, 1);
}

// Values that are in every table of exact 95% (and 90%) limits.
TEST(ExactInterval, KnownValues) {
  const auto expect = [](uint64_t hits, uint64_t runs, double confidence, double low, double high) {
    const RateInterval interval = exact_interval(hits, runs, confidence);
    EXPECT_NEAR(interval.low, low, 5e-5) << hits << " of " << runs;
    EXPECT_NEAR(interval.high, high, 5e-5) << hits << " of " << runs;
  };
  expect(1, 10, 0.95, 0.0025, 0.4450);
  expect(5, 10, 0.95, 0.1871, 0.8129);
  expect(3, 20, 0.95, 0.0321, 0.3789);
  expect(10, 100, 0.95, 0.0490, 0.1762);
  expect(50, 100, 0.95, 0.3983, 0.6017);
  expect(4, 20, 0.90, 0.0714, 0.4010);
}

// The definition itself, checked with sums of binomial terms instead of the incomplete beta function.
TEST(ExactInterval, BothTailsAreAsLikelyAsTheySay) {
  for (const uint64_t runs : {7u, 100u, 4'000u})
    for (const uint64_t hits : {uint64_t{1}, runs / 3, runs / 2, runs - 1}) {
      const RateInterval interval = exact_interval(hits, runs);
      EXPECT_NEAR(binomial_at_least(runs, interval.low, hits), 0.025, 1e-8) << hits << " of " << runs;
      EXPECT_NEAR(binomial_at_most(runs, interval.high, hits), 0.025, 1e-8) << hits << " of " << runs;
    }
}

TEST(ExactInterval, HoldsTheRateAndShrinks) {
  double before = 1;
  for (uint64_t runs = 10; runs <= 10'000'000; runs *= 10) {
    const RateInterval interval = exact_interval(runs / 10, runs);
    EXPECT_LT(interval.low, 0.1);
    EXPECT_GT(interval.high, 0.1);
    EXPECT_LT(interval.high - interval.low, before);
    before = interval.high - interval.low;
  }
}

TEST(IncompleteBeta, IsADistributionFunction) {
  EXPECT_EQ(incomplete_beta(0, 2, 3), 0);
  EXPECT_EQ(incomplete_beta(1, 2, 3), 1);
  EXPECT_NEAR(incomplete_beta(0.3, 1, 1), 0.3, 1e-14);  // uniform
  EXPECT_NEAR(incomplete_beta(0.5, 4, 4), 0.5, 1e-14);  // symmetric
  EXPECT_NEAR(incomplete_beta(0.2, 3, 1), 0.2 * 0.2 * 0.2, 1e-14);
}

}  // namespace
}  // namespace snarl
