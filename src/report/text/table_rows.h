// Which part of a schedule is worth a reader's time: the columns and rows of the table.
// Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "report/finding.h"

namespace snarl::report {

// A row, or (row == nullptr) a gap of so many steps.
struct TableRow {
  const FindingRow* row = nullptr;
  uint64_t skipped = 0;
};

// The threads that get a column, by ordinal: at most `limit`, those first that have to do
// with the failure, then those that ran last. Points into `finding`.
std::vector<const FindingThread*> table_threads(const Finding& finding, size_t limit);

// At most about `limit` rows of those threads: the end, what the failing threads hold, and
// what surrounds the last switches. Points into `finding`.
std::vector<TableRow> table_rows(const Finding& finding, const std::vector<const FindingThread*>& threads,
                                 size_t limit);

}  // namespace snarl::report
