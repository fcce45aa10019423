// `snarl run --once`: one schedule, as if the program had been started directly.
#pragma once

#include "cli/run_options.h"
#include "explore/guard.h"
#include "explore/setup.h"

namespace snarl {

// The program's own exit code; 128+n if a signal ended it; 1 if snarl had to end it (a deadlock, a limit).
int run_once(const RunOptions& options, Setup setup, Guard& guard);

}  // namespace snarl
