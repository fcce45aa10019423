// For threads that reach no schedule point: they sleep in a call that we know nothing of, or
// they compute, perhaps for ever, waiting for a variable to change.
//
// There is no thread for this. The thread that last gave up the turn looks at the one that
// has it, every few milliseconds, while it waits at its gate.
#pragma once

#include "wire/layout.h"

namespace snarl::runtime::watchdog {

// The process gets ready. From now on the watcher looks while it waits at its gate (state/watcher.h), and a thread that
// computes too long gets our signal: it stops there and lets others run.
void install();

}  // namespace snarl::runtime::watchdog
