// Which schedule `snarl replay` means, which program it may start for it, and where a replay diverged.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "explore/target/target.h"
#include "record/record.h"
#include "schedule/schedule.h"
#include "symbolize/symbolizer.h"

namespace snarl::cli {

struct ReplaySource {
  std::string path;  // of the schedule file
  std::string text;  // its bytes
  Schedule schedule;
};

// `what`: an output folder, a finding's folder, a schedule file, a number of a finding in the folder
// `output`, or empty for the latest one there.
Expected<ReplaySource> find_schedule(const std::string& what, const std::string& output = "snarl-out");

// The program to start: `command` if it is given; else the schedule's own, but only if that file still
// has the build id of the schedule, as a file from somewhere must not be able to run just anything.
Expected<explore::Target> replay_target(const Schedule& schedule, const std::vector<std::string>& command,
                                        const std::string& search_path);

// "step 12: expected T1 at lock, bank.cc:21 in transfer" and "got T2 at ...".
std::string divergence_text(const record::RunRecord& record, const Schedule& schedule,
                            symbolize::Symbolizer& symbolizer);

}  // namespace snarl::cli
