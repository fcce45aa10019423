// A lane's failure in the native twin: its switches as a schedule file, and whether they lead there too.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "report/finding.h"
#include "schedule/schedule.h"

namespace snarl::coseq {

// A lane's switches as a schedule; its program and arguments are not set.
Schedule lane_schedule(const report::Finding& finding, std::vector<Switch> switches);

// The text of the schedule file for the twin.
std::string twin_schedule(const report::Finding& finding, std::vector<Switch> switches, const std::string& twin,
                          const std::vector<std::string>& arguments);

enum class Natively { kSame, kPassed, kDiverged, kUnknown };
// Runs `snarl replay` on it, for ten seconds at most.
Natively replay_natively(const std::string& schedule, const std::string& twin,
                         const std::vector<std::string>& arguments);
// `failed`: the lane did.
const char* words_for(Natively result, bool failed);

// Of a traced schedule: did it fail?
bool is_failure_of(const report::Finding& finding);

}  // namespace snarl::coseq
