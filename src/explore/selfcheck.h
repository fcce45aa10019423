// Is (seed, index) the same schedule in another process? Re-runs a sample of the finished runs
// in a fresh one and compares.
#pragma once

#include <vector>

#include "explore/campaign.h"
#include "explore/guard.h"
#include "explore/setup.h"
#include "report/summary.h"

namespace snarl {

// How many runs that take `run_seconds` on average can be begun within `seconds`: at least one.
size_t repetitions_within(double seconds, double run_seconds);

// Stops early (with a smaller `of`) after `seconds`.
Repeatable self_check(const std::vector<Sample>& samples, const Setup& setup, Guard& guard, int cpu, double seconds,
                      int stop_fd);

}  // namespace snarl
