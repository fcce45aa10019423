// `snarl replay --gdb`: the recorded schedule in gdb, stopped at the failing step.
#pragma once

#include <memory>

#include "explore/target/setup.h"
#include "os/guard.h"
#include "schedule/schedule.h"

namespace snarl::cli {

// Returns when gdb has ended. Exit code. `takes_init`: gdb may read a .gdbinit of the current folder, if its own
// settings say so.
int replay_in_gdb(std::shared_ptr<const Schedule> schedule, explore::Setup setup, os::Guard& guard, bool takes_init,
                  const std::vector<std::string>& more);

}  // namespace snarl::cli
