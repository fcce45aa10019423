// `snarl replay --gdb`: the recorded schedule in gdb, stopped at the first event of the cause, if that is known, and
// otherwise at the failing step.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "explore/target/setup.h"
#include "os/guard.h"
#include "schedule/schedule.h"

namespace snarl::cli {

struct DebugPlan {
  bool takes_init = false;             // gdb may read a .gdbinit of the current folder, if its own settings say so
  std::string report = {};             // a file that says of the cause; it need not be there
  Step until = 0;                      // stop at this step instead
  std::vector<std::string> more = {};  // words for gdb, which come when the program has stopped
};

// Returns when gdb has ended. Exit code.
int replay_in_gdb(std::shared_ptr<const Schedule> schedule, explore::Setup setup, os::Guard& guard,
                  const DebugPlan& plan);

}  // namespace snarl::cli
