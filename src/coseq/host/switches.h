// The switches of a traced schedule, in the words of a schedule file for the native twin.
#pragma once

#include <vector>

#include "coseq/host/scheduler.h"
#include "schedule/schedule.h"

namespace snarl::coseq {

// `lane`: as the schedule left it. Where a lane has an access, the twin has a point of the user's own.
std::vector<Switch> switches_of(const std::vector<TraceStep>& trace, const Lane& lane);

}  // namespace snarl::coseq
