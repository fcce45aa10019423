// Is the schedule to blame at all? A program that fails whatever its schedule is has another problem.
#pragma once

#include "explore/target/setup.h"
#include "os/guard.h"
#include "schedule/run_key.h"

namespace snarl::explore {

// True if three runs of three without the runtime fail (or five seconds of them). A race that is lost often fails so by
// chance too, hence twenty controlled runs (or two seconds of them) with the policy must have failed as well.
bool fails_anyway(const Setup& setup, const PolicySpec& policy, uint64_t seed, os::Guard& guard, int cpu, int stop_fd);

}  // namespace snarl::explore
