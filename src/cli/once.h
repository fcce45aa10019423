// `snarl run --once`: one schedule, as if the program had been started directly.
#pragma once

#include <cstdint>

#include "cli/run_options.h"
#include "explore/target/setup.h"
#include "os/guard.h"

namespace snarl::cli {

struct OnceEnd {
  int exit_code = 0;  // the program's own; 128+n if a signal ended it; 1 if snarl had to end it (a deadlock, a limit)
  uint32_t threads = 0;  // that it had, main included; 0: there was no run
};

OnceEnd run_once(const RunOptions& options, const explore::Setup& setup, os::Guard& guard);

}  // namespace snarl::cli
