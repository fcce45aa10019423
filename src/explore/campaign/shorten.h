// Looks for a shorter schedule that fails in the same way (schedule/shortener.h says what is tried).
#pragma once

#include <optional>

#include "explore/campaign/tries.h"
#include "explore/execute/executor.h"
#include "record/record.h"

namespace snarl::explore {

// The shortest run that failed in the same way, under the name of `failed`, which is serial and confirmed. None: none
// was shorter, or a try would take too long (time-outs, hangs, livelocks), or the log of the run was cut.
std::optional<record::RunRecord> shorten(const record::RunRecord& failed, const Setup& setup, Executors& executors,
                                         int cpu, const Stop& stop, const TryTeller::Tell& tell = {});

}  // namespace snarl::explore
