// Processes that the program makes.
#pragma once

#include "runtime/state/thread.h"

namespace snarl::runtime {

// The step of making one.
void fork_point(Thread& self, uint64_t pc);

// In one that has a copy of our memory: nothing is controlled from here on.
void be_uncontrolled();

// clone and clone3 by system call, as the program called it: the kernel's result.
long clone_by_call(long number, const long (&arguments)[6], uint64_t pc);

}  // namespace snarl::runtime
