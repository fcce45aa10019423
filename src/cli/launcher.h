// `snarl run --launcher`: stands in front of a test's command line, for CTest and others.
#pragma once

#include <string>
#include <vector>

#include "cli/run_options.h"
#include "explore/target/target.h"

namespace snarl::cli {

// Is this command only asking what tests there are? Then it is not for us.
bool only_lists(const std::vector<std::string>& command);

// Becomes the program. Returns an exit code only if that fails.
int become(const explore::Target& target);

// Without other words of the user: short, on one core (others run beside us), each command with a folder of its own.
void set_launcher_defaults(const Arguments& arguments, RunOptions& options);

}  // namespace snarl::cli
