// One uncontrolled run of a program under observation: every system call of it and of the
// processes that it starts is looked at, by ptrace. Containers may forbid that; then the
// observation says so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explore/doctor/side_effects.h"
#include "explore/target/setup.h"
#include "os/guard.h"

namespace snarl::explore {

struct Observation {
  struct Effect {
    SideEffect effect;
    uint64_t times = 0;
  };
  struct InlineCall {
    std::string module;  // file name of what holds the instruction
    uint64_t number = 0;
    uint64_t times = 0;
  };

  std::string could_not;  // why nothing could be seen; empty: all was
  bool ended = false;     // by itself, within its time; otherwise it was ended
  int status = 0;         // as wait4 gives it
  double seconds = 0;
  uint32_t threads = 1;                  // over the whole run
  std::vector<Effect> effects;           // in the order of their first time
  uint64_t more_effects = 0;             // left out, as the list is long enough
  std::vector<InlineCall> inline_calls;  // made outside of libc and the loader, by the program's own process
};

// Runs it to its end, for `seconds`, or until `stop_fd` becomes readable (-1: none). Its output is thrown away.
Observation observe(const Setup& setup, os::Guard& guard, double seconds, int stop_fd);

}  // namespace snarl::explore
