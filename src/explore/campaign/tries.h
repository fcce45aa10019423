// What runs that vary a failed one have in common: those that look for a shorter schedule, or for the cause.
#pragma once

#include "explore/execute/order.h"
#include "explore/target/setup.h"
#include "record/record.h"

namespace snarl::explore {

// False: each try would take too long (time-outs, hangs, livelocks), the log of the run was cut, or it does not repeat.
bool can_be_tried(const record::RunRecord& failed);

// Seconds that a try has: one that takes much longer than the failed run hardly fails in the same way.
double time_of_try(const record::RunRecord& failed, const Setup& setup);

// Another run with the same points as the failed one.
RunOrder order_like(const record::RunRecord& failed, const RunSettings& settings);

}  // namespace snarl::explore
