// Two accesses that nothing orders in one run: is there a schedule in which both threads stand at them at the same
// moment? Only then they are reported as a race. Two locks that were taken in opposite orders: is there a deadlock?
#pragma once

#include <optional>

#include "explore/execute/executor.h"
#include "record/record.h"

namespace snarl::explore {

// The failure of `shown` is a possible race or deadlock. The run that is found has that as its failure, and the key of
// `shown`; its points are those of `shown` with both accesses, if these were none.
std::optional<record::RunRecord> search_meeting(const record::RunRecord& shown, const Setup& setup,
                                                Executors& executors, int cpu, const Stop& stop);

}  // namespace snarl::explore
