// Rows of the schedule table without events: only where threads stopped.
#pragma once

#include <vector>

#include "explain/diagnose/places.h"

namespace snarl::explain {

// Timers have no code, so that in the log a switch may go by way of some: T1 t2 t3 T4. This is where
// the way that begins with decision `i` ends (again with a timer, if the log was cut there).
uint32_t end_of_way(const std::vector<Decision>& decisions, size_t i);

// A timer fires.
report::FindingRow timeout_row(const Decision& decision);

std::vector<report::FindingRow> switch_rows(const record::RunRecord& record, Places& places);

// Of the steps whose events are not told, it is known at least where threads stopped.
void add_lost_switches(report::Finding& finding, const record::RunRecord& record, Places& places);

}  // namespace snarl::explain
