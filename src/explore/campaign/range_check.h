// Are runs that shared one process what they are in a process of their own? Only executors that make ranges of runs are
// asked (library mode); at the first doubt, every later run gets a process of its own.
#pragma once

#include "explore/campaign/campaign.h"
#include "explore/execute/executor.h"

namespace snarl::explore {

// The order of the run that ended the process of a range: from then on it is treated like every other run.
RunOrder order_of_last(const RunOrder& range, const record::RunRecord& last, const Executor& executor);

// A run that ends the process without a failure leaves nothing for the runs after it.
void distrust_if_ended(Executor& executor, const record::RunRecord& last);

// Makes samples of the range again, each in a process of its own, and compares.
Status check_range(Executor& executor, const RunOrder& range, const RangeSum& sum, int stop_fd);

// The run failed in a process that had made others, and did not when it was followed: the failure may be theirs.
void distrust_failure(Executor& executor, const record::RunRecord& record);

}  // namespace snarl::explore
