#include "instrument/heap_table.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "base/rng.h"

namespace snarl::instrument {
namespace {

TEST(HeapTable, FindsABlockByAnyAddressInside) {
  std::vector<HeapBlock> slots(16);
  HeapTable table(slots);
  table.insert({.address = 0x1000, .size = 40, .thread = 3});
  ASSERT_NE(table.find(0x1000), nullptr);
  ASSERT_NE(table.find(0x1027), nullptr);
  EXPECT_EQ(table.find(0x1027)->thread, 3u);
  EXPECT_EQ(table.find(0x1028), nullptr);
  EXPECT_EQ(table.find(0xfff), nullptr);
  table.remove(0x1000);
  EXPECT_EQ(table.find(0x1000), nullptr);
}

// As a map would have it, through any number of allocations and frees in a table that is nearly full.
TEST(HeapTable, IsWhatAMapWouldBe) {
  std::vector<HeapBlock> slots(64);
  HeapTable table(slots);
  std::map<uint64_t, uint64_t> model;
  Rng rng(5);
  for (int i = 0; i < 20'000; ++i) {
    const uint64_t address = 0x10000 + rng.below(200) * 256;
    if (model.size() < 48 && rng.below(2) == 0) {
      const uint64_t size = 1 + rng.below(256);
      table.insert({.address = address, .size = size});
      model[address] = size;
    } else {
      table.remove(address);
      model.erase(address);
    }
    ASSERT_EQ(table.size(), model.size());
    const uint64_t asked = 0x10000 + rng.below(200 * 256);
    const auto at = model.find(asked / 256 * 256);
    const bool inside = at != model.end() && asked - at->first < at->second;
    const HeapBlock* found = table.find(asked);
    ASSERT_EQ(found != nullptr, inside) << i;
    if (inside) {
      ASSERT_EQ(found->address, at->first);
    }
  }
}

// A small block in the middle of a large one's reach: how far back to look is the largest one's to say.
TEST(HeapTable, LooksAsFarBackAsTheLargestBlock) {
  std::vector<HeapBlock> slots(16);
  HeapTable table(slots);
  EXPECT_EQ(table.find(0x1000), nullptr);
  table.insert({.address = 0x9000, .size = 16});
  table.insert({.address = 0x1000, .size = 4096});
  ASSERT_NE(table.find(0x1fff), nullptr);
  EXPECT_EQ(table.find(0x1fff)->address, 0x1000u);
  EXPECT_EQ(table.find(0x2000), nullptr);
  EXPECT_NE(table.find(0x900f), nullptr);
  EXPECT_EQ(table.find(0x9010), nullptr);
}

TEST(HeapTable, AFullOneForgets) {
  std::vector<HeapBlock> slots(8);
  HeapTable table(slots);
  for (uint64_t i = 1; i <= 20; ++i) table.insert({.address = i * 16, .size = 16});
  EXPECT_EQ(table.size(), 6u);
  HeapTable none;
  none.insert({.address = 16, .size = 16});
  EXPECT_EQ(none.find(16), nullptr);
}

}  // namespace
}  // namespace snarl::instrument
