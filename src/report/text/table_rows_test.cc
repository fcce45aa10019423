#include "report/text/table_rows.h"

#include <gtest/gtest.h>

#include "report/text/golden_findings.h"
#include "report/text/table.h"

namespace snarl::report {
namespace {

TEST(TableRows, AShortScheduleIsShownWhole) {
  const Finding f = deadlock_of_two();
  const auto rows = table_rows(f, table_threads(f, 6), 40);
  EXPECT_EQ(rows.size(), 10u);  // 12 less the two points after a create
  for (const TableRow& row : rows) EXPECT_NE(row.row, nullptr);
}

TEST(TableRows, StepsThatLookAlikeAreCounted) {
  Finding f = deadlock_of_two();
  const size_t before = table_rows(f, table_threads(f, 6), 40).size();
  const FindingRow again{
      .thread = 0, .act = {.kind = OpKind::kOnce, .object = 1}, .place = {.file = "x.cc", .line = 12}};
  f.rows.insert(f.rows.begin(), 70, again);
  const auto rows = table_rows(f, table_threads(f, 6), 40);
  ASSERT_EQ(rows.size(), before + 3);
  EXPECT_EQ(rows[0].row, &f.rows[0]);
  EXPECT_EQ(rows[1].skipped, 68u);
  EXPECT_EQ(rows[2].row, &f.rows[69]);
}

TEST(TableRows, EveryStepIsShownOrCounted) {
  const Finding f = two_thousand_steps();
  for (size_t limit : {12u, 20u, 40u, 100u}) {
    const auto rows = table_rows(f, table_threads(f, 6), limit);
    EXPECT_LE(rows.size(), limit);
    uint64_t steps = 0, all = 0;
    for (const TableRow& row : rows) steps += row.row == nullptr ? row.skipped : is_step(*row.row);
    for (const FindingRow& row : f.rows) all += is_step(row);
    EXPECT_EQ(steps, all);
  }
}

TEST(TableRows, TheEndIsAlwaysThere) {
  const Finding f = two_thousand_steps();
  const auto rows = table_rows(f, table_threads(f, 6), 40);
  EXPECT_EQ(rows.back().row, &f.rows.back());
  EXPECT_EQ(rows[rows.size() - 8].row, &f.rows[f.rows.size() - 8]);
}

TEST(TableRows, WhatIsHeldIsShownHoweverLongAgoItWasTaken) {
  Finding f = two_thousand_steps();
  f.rows[100].act = {.kind = OpKind::kLock, .object = 0};
  f.rows[100].thread = 1;
  std::erase_if(f.rows, [](const FindingRow& r) { return r.step == 2005; });
  bool shown = false;
  for (const TableRow& row : table_rows(f, table_threads(f, 6), 40)) shown |= row.row == &f.rows[100];
  EXPECT_TRUE(shown);
}

TEST(TableRows, StepsThatTheRingLostAreCounted) {
  Finding f = deadlock_of_two();
  f.rows_lost = 1234;
  const auto rows = table_rows(f, table_threads(f, 6), 40);
  EXPECT_EQ(rows[0].row, nullptr);
  EXPECT_EQ(rows[0].skipped, 1234u);
}

TEST(TableRows, StepsWithoutARowAreCountedBeforeTheNextOne) {
  Finding f = deadlock_of_two();
  f.rows.back().skipped = 70;
  const auto rows = table_rows(f, table_threads(f, 6), 40);
  ASSERT_GT(rows.size(), 2u);
  EXPECT_EQ(rows.back().row, &f.rows.back());
  EXPECT_EQ(rows[rows.size() - 2].row, nullptr);
  EXPECT_EQ(rows[rows.size() - 2].skipped, 70u);
}

TEST(TableThreads, ThoseOfTheFailureComeFirst) {
  const Finding f = nine_threads();
  const auto threads = table_threads(f, 2);
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads[0]->ordinal, 1u);
  EXPECT_EQ(threads[1]->ordinal, 2u);
}

TEST(Table, WithoutRowsThereIsNone) { EXPECT_EQ(schedule_table(without_trace(), 100, Paint(false)), ""); }

}  // namespace
}  // namespace snarl::report
