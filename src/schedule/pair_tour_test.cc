#include "schedule/pair_tour.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace snarl {
namespace {

TEST(PairTour, ARunHasTheDrawsThatNoOtherHas) {
  uint64_t next = 0;
  for (uint64_t turn = 0; turn < 1000; ++turn) {
    const Draws draws = draws_of(turn);
    ASSERT_EQ(draws.first, next);
    next += draws.count;
  }
  EXPECT_EQ(draws_before(1000), next);
}

TEST(PairTour, EveryRoundHasEveryPairOnce) {
  for (uint64_t pairs = 1; pairs < 130; ++pairs) {
    const PairTour tour(7, 3, pairs);
    for (uint64_t round = 0; round < 5; ++round) {
      std::set<uint64_t> seen;
      for (uint64_t i = 0; i < pairs; ++i) seen.insert(tour.at(round * pairs + i));
      ASSERT_EQ(seen.size(), pairs);
      ASSERT_LT(*seen.rbegin(), pairs);
    }
  }
}

TEST(PairTour, TheFirstRoundGoesInOrderAndLaterOnesDiffer) {
  const PairTour tour(7, 3, 100);
  std::set<std::vector<uint64_t>> rounds;
  for (uint64_t round = 0; round < 20; ++round) {
    std::vector<uint64_t> order;
    for (uint64_t i = 0; i < 100; ++i) order.push_back(tour.at(round * 100 + i));
    EXPECT_EQ(std::is_sorted(order.begin(), order.end()), round == 0);
    rounds.insert(order);
  }
  EXPECT_EQ(rounds.size(), 20u);
}

}  // namespace
}  // namespace snarl
