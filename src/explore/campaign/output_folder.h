// The folder that a run writes its results to: which one it is, and what becomes of what an earlier run left there.
#pragma once

#include <string>

#include "base/error.h"
#include "os/fd.h"

namespace snarl::explore {

struct OutputFolder {
  std::string path;
  std::string previous;  // its folder with the findings of an earlier run; empty: there are none
  os::Fd lock;           // nobody else writes to the folder while it is open
};

// Makes `wanted`, or takes the one that an earlier run of ours left. If a run that is under way writes to it, the
// folder is `wanted`.2, or .3, and so on. A folder that has other things in it, but not our marker, is never touched
// (exit code 2). The results of the last run that found something are kept as `previous`; all others are removed.
Expected<OutputFolder> take_output_folder(const std::string& wanted);

}  // namespace snarl::explore
