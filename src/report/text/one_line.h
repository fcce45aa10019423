// A schedule in one line, in dejafu's notation: "S0----S1-P2--x".
//
// S: the thread of that number runs because the one before can't go on; P: the policy
// preempted the one before; p: the one before yielded; t: the timer of that thread
// fires, its wait is over; each '-' is a step, "-12-" twelve
// of them; x: here it fails. Pure.
#pragma once

#include <span>
#include <string>

#include "report/finding.h"

namespace snarl::report {

// At most `width` columns (at least 40): where there is more, the middle is left out as "...".
std::string one_line_schedule(std::span<const FindingSwitch> decisions, Step steps, size_t width);

// The same for files that programs read: long enough for what a person would look at.
std::string one_line_schedule(const Finding& finding);

}  // namespace snarl::report
