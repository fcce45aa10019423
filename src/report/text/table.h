// The schedule as a table: one column per thread, time runs down. Pure.
#pragma once

#include <string>

#include "report/finding.h"
#include "report/text/paint.h"

namespace snarl::report {

// Lines of at most `width` columns, each ended; empty if the finding has no rows.
// All texts of `finding` must be printable.
std::string schedule_table(const Finding& finding, size_t width, const Paint& paint);

}  // namespace snarl::report
