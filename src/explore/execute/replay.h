// Follows a recorded schedule in a fresh process.
#pragma once

#include <functional>
#include <memory>
#include <optional>

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

// Of a search near a schedule that can't be followed (policy/near.h).
struct NearbyLimit {
  uint64_t tries = 1000;
  double seconds = 20;
};
struct Nearby {
  record::RunRecord record;
  uint64_t tries = 0;  // runs that it took
};

// The first traced run that `is_it`. Nothing: none was within the limit, or `stop` came.
Expected<std::optional<Nearby>> search_near(std::shared_ptr<const Schedule> schedule, const Setup& setup,
                                            Executors& executors, int cpu, const Stop& stop,
                                            const std::function<bool(record::RunRecord&)>& is_it,
                                            const NearbyLimit& limit = {});

// One traced run that goes on where the schedule can't be followed: threads run as long as they ran there, by their own
// steps, or until they can't; what is not in the schedule is done without a switch. Never diverges.
Expected<record::RunRecord> follow_loosely(std::shared_ptr<const Schedule> schedule, const Setup& setup,
                                           Executors& executors, int cpu, const Stop& stop);

// The same as replay() under setup.debugger, which has our terminal, until it ends.
Status debug(std::shared_ptr<const Schedule> schedule, const Setup& setup, Executors& executors, int cpu);

}  // namespace snarl::explore
