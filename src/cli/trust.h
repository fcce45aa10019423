// May a recorded command be run? Only if this user's snarl recorded it, or the user says so.
//
// A folder from somewhere names a command, and the programs that it may name are on every machine. So what it says is
// looked at, and nothing else is done with it, before it is found to be marked (explore/campaign/mark.h).
#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/replay_source.h"

namespace snarl::cli {

// What a replay takes from a finding's folder. Read once: what was examined is what is used.
struct Evidence {
  std::optional<std::string> input;   // bytes of stdin.txt
  std::optional<std::string> folder;  // the working folder of the recorded program; none: not known to be ours
  std::string doubt = {};             // why not
};

Expected<Evidence> examine(const ReplaySource& source, const std::string& key_path);

// The sentence that refuses it, with the command as it would be run.
Error refusal(const ReplaySource& source, const Evidence& evidence);

// Was a snarl.toml read, unasked, that may have come with the finding: from its folder or one above?
bool has_config_around(const Arguments& arguments, const std::string& schedule_path);

// The mark of a finding whose program runs in the current folder. Empty if there is no key.
std::string mark_of(const std::string& schedule, const std::string& input);

}  // namespace snarl::cli
