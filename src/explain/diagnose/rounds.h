// A run that goes round in circles ends in thousands of rounds that look alike. What led to them is what counts, and
// would be lost among them. Pure.
#pragma once

#include <vector>

#include "report/finding.h"

namespace snarl::explain {

// Keeps the first round and the last one; the row after the gap says how many steps are left out.
void leave_out_rounds(std::vector<report::FindingRow>& rows);

}  // namespace snarl::explain
