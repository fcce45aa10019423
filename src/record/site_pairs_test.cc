#include "record/site_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/pair_tour.h"

namespace snarl::record {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

constexpr SitePair kA{1, 2}, kB{2, 1}, kC{3, 4};

TEST(SitePairs, GoThroughTheWire) {
  const auto layout = std::make_unique<wire::Layout>();
  const SitePairs pairs = {kA, kC};
  write_pairs(&pairs, 17, *layout);
  EXPECT_EQ(layout->command.pairs, 2u);
  EXPECT_EQ(layout->command.pairs_since, 17u);
  EXPECT_EQ(layout->pairs[1], kC);
  write_pairs(nullptr, 0, *layout);
  EXPECT_EQ(layout->command.pairs, 0u);
}

// The tested process may write anything.
TEST(SitePairs, ReadsNoMoreThanThereCanBe) {
  const auto layout = std::make_unique<wire::Layout>();
  layout->met_pairs[0] = kB;
  layout->state.met_pairs = 1;
  EXPECT_THAT(read_pairs(*layout), ElementsAre(kB));
  layout->state.met_pairs = 0xffffffff;
  EXPECT_EQ(read_pairs(*layout).size(), kMaxPairs);
}

TEST(PairTable, DoesNotDependOnTheOrderOfRuns) {
  PairTable one, other;
  one.learn({kA, kB});
  one.learn({kC});
  other.learn({kC, kB});
  other.learn({kA, kC});
  EXPECT_EQ(*one.freeze(5), *other.freeze(5));
  EXPECT_THAT(*one.freeze(5), UnorderedElementsAre(kA, kB, kC));
}

TEST(PairTable, TheLeastTriedComeFirst) {
  PairTable table;
  table.learn({kA, kB});
  const SitePairs first = *table.freeze(5);
  table.note_tried(first, 5, 0, 3);  // all once, and one twice
  table.learn({kC});
  const SitePairs second = *table.freeze(5);
  EXPECT_EQ(second[0], kC);
  EXPECT_EQ(second[2], first[PairTour(5, 0, 2).at(2)]);
}

// As many as are counted one by one.
TEST(PairTable, NotesEveryDraw) {
  PairTable table;
  SitePairs pairs;
  for (uint64_t i = 1; i <= 10; ++i) pairs.push_back({i, i + 1});
  table.learn(pairs);
  const SitePairs frozen = *table.freeze(9);
  std::map<SitePair, int> tried;
  const PairTour tour(9, 4, frozen.size());
  for (uint64_t i = 0; i < 37; ++i) ++tried[frozen[tour.at(i)]];
  table.note_tried(frozen, 9, 4, 37);
  const SitePairs next = *table.freeze(9);
  for (size_t i = 1; i < next.size(); ++i) EXPECT_LE(tried[next[i - 1]], tried[next[i]]);
}

TEST(PairTable, ARunIsGivenNoMoreThanFit) {
  PairTable table;
  SitePairs pairs;
  for (uint64_t i = 0; i < 2 * kMaxPairs; ++i) pairs.push_back({i, i + 1});
  table.learn(pairs);
  EXPECT_EQ(table.freeze(1)->size(), kMaxPairs);
}

}  // namespace
}  // namespace snarl::record
