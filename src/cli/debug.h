// `snarl replay --gdb`: the recorded schedule in gdb, stopped at the failing step.
#pragma once

#include <memory>

#include "explore/guard.h"
#include "explore/setup.h"
#include "schedule/schedule.h"

namespace snarl {

// Returns when gdb has ended. Exit code. `takes_init`: gdb may read a .gdbinit of the current folder, if its own settings say so.
int replay_in_gdb(std::shared_ptr<const Schedule> schedule, Setup setup, Guard& guard, bool takes_init);

}  // namespace snarl
