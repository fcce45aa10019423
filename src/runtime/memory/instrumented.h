// The runtime's side of compiled-in hooks (src/instrument): the block that they look at, and what they call.
#pragma once

#include "runtime/run/thread.h"

namespace snarl::runtime::instrumented {

// Some file that is loaded now has hooks that asked for the block before this process was controlled (library mode).
bool have_asked();

// Those get it, before the first run.
void answer();

// A run begins; main has the turn.
void begin(const Thread& main);

// The thread has the turn now.
void running(const Thread& self);

// Where the calls of the thread that has the turn came from, innermost first, as its functions told; how many.
uint32_t copy_callers(uint64_t* to, uint32_t most);

// The thread has taken its last step.
void ended(const Thread& self);

}  // namespace snarl::runtime::instrumented
