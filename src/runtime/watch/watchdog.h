// For threads that reach no schedule point: they sleep in a call that we know nothing of, or
// they compute, perhaps for ever, waiting for a variable to change.
//
// There is no thread for this. The thread that last gave up the turn looks at the one that
// has it, every few milliseconds, while it waits at its gate.
#pragma once

#include "wire/layout.h"

namespace snarl::runtime::watchdog {

// A run begins: what the watcher does at its gate (state/watcher.h) is to look.
void begin(const Patience& patience);

// Our signal for those who compute: stop here and let others run.
void install();

}  // namespace snarl::runtime::watchdog
