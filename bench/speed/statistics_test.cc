#include "statistics.h"

#include <gtest/gtest.h>

namespace snarl::bench {
namespace {

TEST(Quartiles, AreOfTheSortedNumbers) {
  const Quartiles q = quartiles_of({4, 1, 3, 2, 5});
  EXPECT_EQ(q.low, 2);
  EXPECT_EQ(q.median, 3);
  EXPECT_EQ(q.high, 4);
  EXPECT_EQ(quartiles_of({1, 2}).median, 1.5);
  EXPECT_EQ(quartiles_of({7}).high, 7);
}

// Two of C(6, 3) = 20 and two of C(20, 10) = 184,756 ways are as uneven; R's wilcox.test(exact) says the same.
TEST(RankTest, IsExact) {
  EXPECT_NEAR(rank_test({4, 5, 6}, {1, 2, 3}), 0.1, 1e-12);
  EXPECT_NEAR(rank_test({1, 2, 3}, {4, 5, 6}), 0.1, 1e-12);
  EXPECT_NEAR(rank_test({11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), 2. / 184756, 1e-15);
  EXPECT_NEAR(rank_test({1, 4}, {2, 3}), 1, 1e-12);
}

// 1 | 1 2: the ranks are 1.5, 1.5, 3, so a = {2} is the one of three that is furthest out, and both ways of a 1 are
// not.
TEST(RankTest, HasTies) {
  EXPECT_NEAR(rank_test({2}, {1, 1}), 1. / 3, 1e-12);
  EXPECT_NEAR(rank_test({1}, {1, 2}), 1, 1e-12);
  EXPECT_EQ(rank_test({3, 3, 3}, {3, 3, 3}), 1);
}

}  // namespace
}  // namespace snarl::bench
