#include "model/met.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace snarl::model {
namespace {

std::vector<uint64_t> in(const MetAddresses& met, uint64_t begin, uint64_t end) {
  std::vector<uint64_t> result;
  met.for_each_in(begin, end, [&](uint64_t address) { result.push_back(address); });
  return result;
}

TEST(MetTest, NothingAtFirst) {
  MetAddresses met;
  EXPECT_TRUE(in(met, 0x10, ~uint64_t{0}).empty());
  EXPECT_TRUE(in(met, 0x1000, 0x1040).empty());
}

TEST(MetTest, TheBoundsOfABlock) {
  MetAddresses met;
  met.add(0x1008);
  EXPECT_EQ(in(met, 0x1008, 0x1009), std::vector<uint64_t>{0x1008});
  EXPECT_TRUE(in(met, 0x1009, 0x1030).empty());
  EXPECT_TRUE(in(met, 0xff0, 0x1008).empty());
  EXPECT_EQ(in(met, 0x10, 1 << 20), std::vector<uint64_t>{0x1008}) << "a large block is searched otherwise";
}

// Against a plain set: nothing that is not there is found, and of few addresses nearly all are.
TEST(MetTest, AgreesWithASet) {
  MetAddresses met;
  std::set<uint64_t> all;
  std::mt19937_64 random(7);
  for (int i = 0; i < 40; ++i) {
    const uint64_t address = 0x10000 + random() % 2048 * 40;
    met.add(address);
    all.insert(address);
  }
  size_t found = 0, there = 0;
  for (int i = 0; i < 2000; ++i) {
    const uint64_t begin = 0x10000 + random() % 80000, end = begin + 1 + random() % (i % 2 == 0 ? 200 : 40000);
    const auto first = all.lower_bound(begin), last = all.lower_bound(end);
    for (uint64_t address : in(met, begin, end)) {
      EXPECT_TRUE(address >= begin && address < end && all.contains(address));
      ++found;
    }
    there += static_cast<size_t>(std::distance(first, last));
  }
  EXPECT_GT(found, there * 3 / 4);
  EXPECT_LE(found, there);
}

}  // namespace
}  // namespace snarl::model
