// The tails that other tests stand on, against values of tables and of small sums.
#include <gtest/gtest.h>

#include "base/test_statistics.h"

namespace snarl {
namespace {

TEST(Statistics, ChiSquareTailIsThatOfTheTables) {
  EXPECT_NEAR(chi_square_tail(3.841, 1), 0.05, 1e-4);
  EXPECT_NEAR(chi_square_tail(18.307, 10), 0.05, 1e-5);
  EXPECT_NEAR(chi_square_tail(2 * std::log(1e9), 2), 1e-9, 1e-15);  // two degrees: exp(-x/2)
  EXPECT_NEAR(chi_square_tail(99.334, 100), 0.5, 1e-4);
  EXPECT_NEAR(chi_square_tail(1, 2), std::exp(-0.5), 1e-12);
}

TEST(Statistics, BinomialTailsAreExact) {
  EXPECT_NEAR(binomial_at_most(10, 0.5, 2), 56.0 / 1024, 1e-12);
  EXPECT_NEAR(binomial_at_least(10, 0.5, 8), 56.0 / 1024, 1e-12);
  EXPECT_NEAR(binomial_at_most(200'000, 1e-3, 200'000), 1, 1e-9);
  for (uint64_t x : {150u, 200u, 250u})
    EXPECT_NEAR(binomial_at_most(200'000, 1e-3, x) + binomial_at_least(200'000, 1e-3, x + 1), 1, 1e-9);
}

TEST(Statistics, RatesOutsideAreRefused) {
  EXPECT_TRUE(is_rate_within(200, 200'000, 1e-3, 3e-3));
  EXPECT_TRUE(is_rate_within(600, 200'000, 1e-3, 3e-3));
  EXPECT_FALSE(is_rate_within(100, 200'000, 1e-3, 3e-3));
  EXPECT_FALSE(is_rate_within(800, 200'000, 1e-3, 3e-3));
  EXPECT_FALSE(is_rate_within(0, 200'000, 1e-3, 3e-3));
}

TEST(Statistics, UniformTailSeesABias) {
  const uint64_t fair[] = {1000, 1010, 990, 1000};
  const uint64_t biased[] = {1300, 900, 900, 900};
  EXPECT_GT(uniform_tail(fair), 0.5);
  EXPECT_LT(uniform_tail(biased), kByLuck);
}

}  // namespace
}  // namespace snarl
