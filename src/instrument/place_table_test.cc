#include "instrument/place_table.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/rng.h"
#include "instrument/touch_log.h"

namespace snarl::instrument {
namespace {

TEST(PlaceTable, HoldsWhatWasPutInAndNothingElse) {
  std::vector<uint64_t> slots(PlaceTable::slots_for(500));
  PlaceTable table(slots);
  Rng rng(1, 2, Stream::kPolicy);
  std::set<uint64_t> in;
  for (int i = 0; i < 500; ++i) {
    const uint64_t pc = 0x555500000000 + rng.below(4096);
    EXPECT_EQ(table.insert(pc), in.insert(pc).second);
  }
  EXPECT_EQ(table.size(), in.size());
  for (uint64_t pc = 0x555500000000 - 5000; pc < 0x555500000000 + 5000; ++pc) EXPECT_EQ(table.has(pc), in.contains(pc));
}

// What a hook decides with one look must be right: a hit is in the table, and a free slot means that it is not.
TEST(PlaceTable, OneLookIsNeverWrong) {
  std::vector<uint64_t> slots(PlaceTable::slots_for(3000)), front(kFrontSlots);
  PlaceTable table(slots);
  Rng rng(3, 4, Stream::kPolicy);
  for (int i = 0; i < 3000; ++i) insert(table, front.data(), 1 + rng.below(1 << 20));
  int hits = 0;
  for (uint64_t pc = 1; pc < 1 << 20; ++pc) {
    const uint64_t found = front[front_slot(pc)];
    if (found == pc || found == 0) {
      ASSERT_EQ(table.has(pc), found == pc);
    }
    hits += found == pc;
  }
  EXPECT_GT(hits, 1500);
}

TEST(PlaceTable, AFullOneTakesNoMore) {
  std::vector<uint64_t> slots(8);
  PlaceTable table(slots);
  for (uint64_t pc = 1; pc <= 4; ++pc) EXPECT_TRUE(table.insert(pc));
  EXPECT_FALSE(table.insert(5));
  EXPECT_FALSE(table.has(5));
}

TEST(PlaceTable, AnEmptyOneHasNothing) { EXPECT_FALSE(PlaceTable().has(1)); }

TEST(TouchLog, KnowsEachPlaceOfAGranuleOnce) {
  std::vector<uint32_t> heads(2);  // so that granules meet
  std::vector<TouchLog::Entry> entries(8);
  TouchLog log(heads, entries);
  for (int round = 0; round < 3; ++round)
    for (uint64_t granule = 0; granule < 3; ++granule)
      log.touch(granule, granule + 10), log.touch(granule, granule + 20);
  for (uint64_t granule = 0; granule < 3; ++granule) {
    std::multiset<uint64_t> places;
    log.for_each_place(granule, [&](uint64_t pc) { places.insert(pc); });
    EXPECT_EQ(places, (std::multiset<uint64_t>{granule + 10, granule + 20}));
  }
}

TEST(TouchLog, ForgetsWhatDoesNotFit) {
  std::vector<uint32_t> heads(4);
  std::vector<TouchLog::Entry> entries(2);
  TouchLog log(heads, entries);
  for (uint64_t pc = 1; pc < 100; ++pc) log.touch(pc, pc);
  int places = 0;
  for (uint64_t granule = 1; granule < 100; ++granule) log.for_each_place(granule, [&](uint64_t) { ++places; });
  EXPECT_EQ(places, 2);
}

}  // namespace
}  // namespace snarl::instrument
