// `snarl run --launcher`: stands in front of a test's command line, for CTest and others.
#pragma once

#include <string>
#include <vector>

#include "cli/run_options.h"
#include "explore/guard.h"
#include "explore/setup.h"

namespace snarl {

// Is this command only asking what tests there are? Then it is not for us.
bool only_lists(const std::vector<std::string>& command);

// Becomes the program. Returns an exit code only if that fails.
int become(const Target& target);

// The program once as it is, with its own input, output and exit code, under one schedule. Has a value if that is all:
// it failed, or it has one thread, so that there is nothing to explore.
std::optional<int> run_as_it_is(const RunOptions& options, const Setup& setup, Guard& guard);

// Where a launcher's findings go: a folder for each command, as tests run side by side.
std::string launcher_output(const std::string& folder, const std::vector<std::string>& command);

}  // namespace snarl
