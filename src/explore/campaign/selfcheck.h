// Is (seed, index) the same schedule in another process? Re-runs a sample of the finished runs
// in a fresh one and compares.
#pragma once

#include <vector>

#include "explore/campaign/campaign.h"
#include "explore/execute/executor.h"
#include "report/summary.h"

namespace snarl::explore {

// How many runs that take `run_seconds` on average can be begun within `seconds`: at least one.
size_t repetitions_within(double seconds, double run_seconds);

// Is it the run that the sample was?
bool is_same_run(const Sample& sample, const record::RunRecord& again);

// Stops early (with a smaller `of`) after `seconds`.
report::Repeatable self_check(const std::vector<Sample>& samples, Executor& executor, double seconds, const Stop& stop);

}  // namespace snarl::explore
