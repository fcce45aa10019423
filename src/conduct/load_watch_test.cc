#include "conduct/load_watch.h"

#include <gtest/gtest.h>

#include <vector>

namespace snarl::conduct {
namespace {

// After which of these loads it was time.
std::vector<int> times(int loads, const auto& load) {
  std::vector<int> result;
  for (int i = 1; i <= loads; ++i)
    if (load(i)) result.push_back(i);
  return result;
}

TEST(LoadWatch, MakesWayLateAndRarely) {
  LoadWatch watch;
  const auto same = [&](int) { return watch.makes_way(1, 8, 0); };
  EXPECT_EQ(times(1600, same), (std::vector<int>{1025, 1281, 1537}));
}

TEST(LoadWatch, ALoopMayLookAtAFewPlaces) {
  LoadWatch watch;
  const auto in_turn = [&](int i) { return watch.makes_way(static_cast<uint64_t>(i % 4), 8, 0); };
  EXPECT_FALSE(times(1100, in_turn).empty());
}

TEST(LoadWatch, ItsPlacesMayBeMany) {
  LoadWatch watch;
  const auto in_turn = [&](int i) { return watch.makes_way(1, static_cast<uint64_t>(i % 16), 0); };
  EXPECT_FALSE(times(1100, in_turn).empty());
}

TEST(LoadWatch, WhatChangesIsNotWaitedFor) {
  LoadWatch watch;
  EXPECT_TRUE(times(1000, [&](int i) { return watch.makes_way(1, 8, static_cast<uint64_t>(i)); }).empty());
  EXPECT_TRUE(times(1000, [&](int i) { return watch.makes_way(1, static_cast<uint64_t>(i) * 8, 0); }).empty());
}

TEST(LoadWatch, AChangeBeginsAnew) {
  LoadWatch watch;
  for (int i = 0; i < 1024; ++i) EXPECT_FALSE(watch.makes_way(1, 8, 0));
  EXPECT_FALSE(watch.makes_way(1, 8, 1));
  EXPECT_EQ(watch.fruitless(), 0u);
  for (int i = 0; i < 1023; ++i) EXPECT_FALSE(watch.makes_way(1, 8, 1));
  EXPECT_TRUE(watch.makes_way(1, 8, 1));
}

}  // namespace
}  // namespace snarl::conduct
