#include "explore/execute/series.h"

#include <gtest/gtest.h>

#include <memory>

#include "record/wire_memory.h"

namespace snarl::explore {
namespace {

class SeriesTest : public testing::Test {
 protected:
  SeriesTest() : memory_(std::move(*record::WireMemory::create())) {
    for (uint64_t index = 10; index < 14; ++index) {
      orders_.emplace_back(RunSettings());
      orders_.back().key.index = index;
    }
  }

  // As the process does it.
  void end_runs(uint32_t begun, uint32_t ended, uint32_t sure, bool last_passed = true) {
    wire::Series& series = memory_.whole().series;
    series.begun.store(begun);
    series.ended = ended;
    series.sure = sure;
    series.last_passed = last_passed ? 1 : 0;
    for (uint32_t i = 0; i < wire::kMaxSeries; ++i) {
      series.runs[i].state.steps = 100 + i;
      series.runs[i].output = 7 + i;
    }
    if (!last_passed) series.runs[ended - 1].state.outcome = OutcomeKind::kDeadlock;
  }

  SeriesEnd read(bool has_ended = true) { return read_series(orders_, has_ended, memory_.whole()); }

  record::WireMemory memory_;
  std::vector<RunOrder> orders_;
};

TEST_F(SeriesTest, EachRunHasItsCommand) {
  memory_.layout().command.fibers = 1;
  memory_.layout().command.thread_counts = 5;
  orders_[2].counts = std::make_shared<record::CountTables>();
  orders_[3].pairs_since = 9;
  write_series(orders_, 50, memory_.whole());
  const wire::Series& series = memory_.whole().series;
  ASSERT_EQ(series.count, 4u);
  for (uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(series.orders[i].run, 50 + i);
    EXPECT_EQ(series.orders[i].key.index, 10 + i);
    EXPECT_EQ(series.orders[i].fibers, 1u);
    EXPECT_EQ(series.orders[i].thread_counts, i == 2 ? 5u : 0u);
  }
  EXPECT_EQ(series.orders[3].pairs_since, 9u);
}

TEST_F(SeriesTest, TheTablesAreThoseOfAll) {
  orders_[1].counts = std::make_shared<record::CountTables>();
  orders_[2].pairs = std::make_shared<record::SitePairs>();
  const RunOrder all = with_all_tables(orders_);
  EXPECT_EQ(all.counts, orders_[1].counts);
  EXPECT_EQ(all.pairs, orders_[2].pairs);
}

// Also where the first order has none of them.
TEST_F(SeriesTest, OrdersWithOtherTablesAreForAnotherSeries) {
  SeriesTables tables;
  EXPECT_TRUE(tables.take(orders_[0]));
  orders_[1].counts = orders_[2].counts = std::make_shared<record::CountTables>();
  orders_[3].counts = std::make_shared<record::CountTables>();
  orders_[2].pairs = std::make_shared<record::SitePairs>();
  EXPECT_TRUE(tables.take(orders_[1]));
  EXPECT_TRUE(tables.take(orders_[2]));
  EXPECT_FALSE(tables.take(orders_[3]));
  EXPECT_TRUE(tables.take(orders_[0]));
}

TEST_F(SeriesTest, AllRunsAreBelievedIfTheProcessIsSure) {
  end_runs(4, 4, 4);
  const SeriesEnd end = read();
  ASSERT_EQ(end.records.size(), 4u);
  EXPECT_EQ(end.records[3].steps, 103u);
  EXPECT_EQ(end.records[3].key.index, 13u);
  EXPECT_EQ(end.records[3].outcome, OutcomeKind::kOk);
  EXPECT_EQ(end.outputs[3], 10u);
  EXPECT_TRUE(end.last_passed);
}

TEST_F(SeriesTest, TheFirstRunIsBelievedIfItIsNot) {
  end_runs(3, 3, 1, false);
  const SeriesEnd end = read();
  ASSERT_EQ(end.records.size(), 1u);
  EXPECT_TRUE(end.last_passed);  // of those that are believed
}

TEST_F(SeriesTest, ARunThatFailsIsTheLast) {
  end_runs(3, 3, 3, false);
  const SeriesEnd end = read();
  ASSERT_EQ(end.records.size(), 3u);
  EXPECT_FALSE(end.last_passed);
  EXPECT_EQ(end.records[2].outcome, OutcomeKind::kDeadlock);
  EXPECT_EQ(end.records[1].outcome, OutcomeKind::kOk);
}

// Also of a run whose successors are not believed.
TEST_F(SeriesTest, ARunHasWhatItMetAndLearned) {
  end_runs(3, 3, 2);
  wire::Series& series = memory_.whole().series;
  for (uint64_t i = 0; i < 4; ++i) series.learned[i] = {1, i}, series.met_pairs[i].held = i + 1;
  series.runs[0].learned = 1, series.runs[0].pairs = 3;
  series.runs[1].learned = 3, series.runs[1].pairs = 3;
  series.runs[2].learned = 4, series.runs[2].pairs = 4;
  const SeriesEnd end = read();
  ASSERT_EQ(end.records.size(), 2u);
  EXPECT_EQ(end.records[0].learned.all(), std::vector<SharedPlace>({{1, 0}}));
  EXPECT_EQ(end.records[1].learned.all(), std::vector<SharedPlace>({{1, 1}, {1, 2}}));
  EXPECT_EQ(end.records[0].pairs.size(), 3u);
  EXPECT_EQ(end.records[1].pairs.size(), 0u);
}

// A run that has a point at every access has no places, and must not get those of others.
TEST_F(SeriesTest, ThePlacesOfAnEpochAreForRunsThatHaveSome) {
  const auto places = std::make_shared<const record::SharedPlaces>(std::vector<SharedPlace>{{7, 8}, {7, 9}});
  for (RunOrder& order : orders_) order.epoch_places = places;
  orders_[1].places = places;
  memory_.layout().command.places = 2;  // as of with_all_tables()
  EXPECT_EQ(with_all_tables(orders_).places, places);
  SeriesTables tables;
  EXPECT_TRUE(tables.take(orders_[0]) && tables.take(orders_[1]));
  write_series(orders_, 50, memory_.whole());
  const wire::Series& series = memory_.whole().series;
  EXPECT_EQ(series.places, 2u);
  EXPECT_EQ(series.orders[0].places, 0u);
  EXPECT_EQ(series.orders[1].places, 2u);
  orders_[1].epoch_places = std::make_shared<const record::SharedPlaces>();
  EXPECT_FALSE(tables.take(orders_[1]));
}

TEST_F(SeriesTest, OfAProcessThatDiedTheFirstRunIsBelieved) {
  end_runs(3, 2, 0);
  const SeriesEnd end = read(false);
  EXPECT_EQ(end.records.size(), 1u);
  EXPECT_EQ(end.begun, 3u);
}

TEST_F(SeriesTest, WhatTheProcessSaysIsChecked) {
  end_runs(0xffffffff, 0xffffffff, 0xffffffff);
  for (wire::EndedRun& run : memory_.whole().series.runs) run.pairs = run.learned = 0xffffffff;
  memory_.whole().series.runs[2].pairs = memory_.whole().series.runs[2].learned = 5;
  memory_.whole().series.runs[1].state.outcome = static_cast<OutcomeKind>(99);
  const SeriesEnd end = read();
  EXPECT_EQ(end.records.size(), 4u);
  EXPECT_EQ(end.begun, 4u);
  EXPECT_EQ(end.records[0].pairs.size(), kMaxPairs);
  EXPECT_EQ(end.records[2].pairs.size(), 0u);
  EXPECT_EQ(end.records[0].learned.all().size(), 1u);  // all of the table are the same
  EXPECT_EQ(end.records[3].learned.all().size(), 0u);
  EXPECT_EQ(end.records[1].outcome, OutcomeKind::kOk);
}

}  // namespace
}  // namespace snarl::explore
