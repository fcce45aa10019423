// The explorer's end of a series: runs that one process makes one after the other (reset rewind).
#pragma once

#include <cstdint>
#include <vector>

#include "explore/execute/order.h"
#include "record/record.h"
#include "wire/learned_pages.h"

namespace snarl::explore {

// What came of a series.
struct SeriesEnd {
  // Of the runs that are to be believed, from the first on.
  std::vector<record::RunRecord> records;
  std::vector<uint64_t> outputs;  // of each, a hash
  bool last_passed = false;       // the last of them; all others did
  size_t begun = 0;               // orders whose run was begun
};

// Each of the orders is_plain(), and all have the same SeriesTables. An order with them:
RunOrder with_all_tables(const std::vector<RunOrder>& orders);

// The command in the wire is that order's. Runs are numbered from `first_run` on.
void write_series(const std::vector<RunOrder>& orders, uint64_t first_run, wire::Whole& whole);

// `has_ended`: the process says so, and goes on; otherwise it has ended in the run that was begun last, and of those
// before only the first began as in a new process.
SeriesEnd read_series(const std::vector<RunOrder>& orders, bool has_ended, const wire::Whole& whole);

}  // namespace snarl::explore
