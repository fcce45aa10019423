// `snarl run --follow`: the command is a script or another program that starts the one with the threads.
#pragma once

#include "cli/session.h"
#include "os/guard.h"
#include "os/standard_input.h"

namespace snarl::cli {

// Runs the session's command once, as it is, and makes the program with the threads the one to explore, started as it
// was there. We enter its folder, and `input` becomes what it reads. Takes from the time that the exploration has.
Status follow_program(Session& session, os::Guard& guard, os::StandardInput& input);

}  // namespace snarl::cli
