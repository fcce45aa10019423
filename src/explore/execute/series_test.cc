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
  EXPECT_TRUE(shares_tables(orders_[1], orders_[2]));
  orders_[2].counts = std::make_shared<record::CountTables>();
  EXPECT_FALSE(shares_tables(orders_[1], orders_[2]));
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

TEST_F(SeriesTest, OfAProcessThatDiedTheFirstRunIsBelieved) {
  end_runs(3, 2, 0);
  const SeriesEnd end = read(false);
  EXPECT_EQ(end.records.size(), 1u);
  EXPECT_EQ(end.begun, 3u);
}

TEST_F(SeriesTest, WhatTheProcessSaysIsChecked) {
  end_runs(0xffffffff, 0xffffffff, 0xffffffff);
  memory_.whole().series.pairs = 0xffffffff;
  memory_.whole().series.runs[1].state.outcome = static_cast<OutcomeKind>(99);
  const SeriesEnd end = read();
  EXPECT_EQ(end.records.size(), 4u);
  EXPECT_EQ(end.begun, 4u);
  EXPECT_EQ(end.records[0].pairs.size(), kMaxPairs);
  EXPECT_EQ(end.records[1].outcome, OutcomeKind::kOk);
}

}  // namespace
}  // namespace snarl::explore
