// Follows a recorded schedule in a fresh process.
#pragma once

#include <memory>

#include "base/error.h"
#include "explore/execute/executor.h"
#include "record/record.h"
#include "schedule/schedule.h"

namespace snarl::explore {

struct ReplayManner {
  bool trace = true;   // events for a report
  bool brief = false;  // one that ended by --timeout need not stay for so long where it was then: a tenth is enough
};

// One run. The process waits at main until the schedule's places are translated to its
// addresses. A schedule whose log was cut is run again from its policy, seed and index instead.
Expected<record::RunRecord> replay(std::shared_ptr<const Schedule> schedule, const Setup& setup, Executors& executors,
                                   int cpu, const Stop& stop, ReplayManner manner = {});

// The same under setup.debugger, which has our terminal, until it ends.
Status debug(std::shared_ptr<const Schedule> schedule, const Setup& setup, Executors& executors, int cpu);

}  // namespace snarl::explore
