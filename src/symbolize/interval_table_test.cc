#include "symbolize/interval_table.h"

#include <gtest/gtest.h>

namespace snarl::symbolize {
namespace {

using Found = std::optional<uint32_t>;

TEST(IntervalTable, FindsTheInnermost) {
  const IntervalTable table({{10, 50, 0, 1}, {20, 40, 1, 2}, {20, 30, 2, 3}, {60, 70, 0, 4}});
  EXPECT_EQ(table.find(9), std::nullopt);
  EXPECT_EQ(table.find(10), Found(1));
  EXPECT_EQ(table.find(20), Found(3));
  EXPECT_EQ(table.find(30), Found(2));
  EXPECT_EQ(table.find(40), Found(1));
  EXPECT_EQ(table.find(50), std::nullopt);
  EXPECT_EQ(table.find(69), Found(4));
  EXPECT_EQ(table.find(70), std::nullopt);
  EXPECT_EQ(table.same_since(9), 0U);
  EXPECT_EQ(table.same_since(35), 30U);
  EXPECT_EQ(table.same_since(45), 40U);
}

TEST(IntervalTable, TheDeeperOfEqualsIsInner) {
  const IntervalTable table({{10, 20, 1, 2}, {10, 20, 0, 1}});
  EXPECT_EQ(table.find(15), Found(2));
  EXPECT_EQ(table.find(20), std::nullopt);
}

TEST(IntervalTable, SurvivesIntervalsThatDoNotNest) {
  const IntervalTable table({{10, 30, 0, 1}, {20, 40, 0, 2}, {35, 35, 0, 3}, {50, 45, 0, 4}});
  EXPECT_EQ(table.find(25), Found(2));
  EXPECT_EQ(table.find(35), std::nullopt);
  EXPECT_EQ(table.find(47), std::nullopt);
}

TEST(IntervalTable, EmptyFindsNothing) { EXPECT_EQ(IntervalTable().find(0), std::nullopt); }

// Against the definition, over all small layouts of nested intervals.
TEST(IntervalTable, AgreesWithALinearSearch) {
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    std::vector<Interval> intervals;
    uint32_t state = seed * 2654435761U + 1;
    const auto next = [&](uint64_t bound) { return (state = state * 1664525U + 1013904223U, (state >> 8) % bound); };
    Interval inner{0, 64, 0, 0};
    for (uint32_t i = 0; i < 6 && inner.low < inner.high; ++i) {
      intervals.push_back(inner);
      const uint64_t low = inner.low + next(inner.high - inner.low);
      inner = {low, low + next(inner.high - low + 1), i + 1, i + 1};
    }
    const IntervalTable table(intervals);
    for (uint64_t address = 0; address < 70; ++address) {
      Found expected;
      for (const Interval& i : intervals) {
        if (i.low <= address && address < i.high) expected = i.value;
      }
      EXPECT_EQ(table.find(address), expected);
    }
  }
}

}  // namespace
}  // namespace snarl::symbolize
