// A failed lane as a finding, from the trace of its schedule run again.
#pragma once

#include <vector>

#include "coseq/host/lane.h"
#include "coseq/host/scheduler.h"
#include "report/finding.h"

namespace snarl::coseq {

// Does this end mean that the program is wrong?
bool is_failure(const Ended& end, uint32_t info);

// The lane must be as the schedule has left it. Only what is about the failure is filled in.
report::Finding explain(Lane& lane, const Ended& end, const std::vector<TraceStep>& trace);

}  // namespace snarl::coseq
