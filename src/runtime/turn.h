// Who has the turn, and whether that thread is in the program's code or in the conductor.
//
// Normally the turn is passed on, in the conductor, by the one who has it. A thread that has it
// but got stuck (asleep in a call that we know nothing of) can have it taken away by the
// watchdog, but only while it is in the program's code: one word and a compare-and-swap decide.
#pragma once

#include "runtime/thread.h"

namespace snarl::turn {

// The run begins: main has the turn and is in the program's code.
void begin();

// The calling thread, which has the turn, enters the conductor. False if the turn was taken away.
bool enter(const Thread& self);

// It goes back to the program's code.
void leave(const Thread& self);

// Somebody else takes the turn from `from` and is in the conductor then. False if `from` was faster.
bool take_from(const Thread& from);

// Has the turn, in the program's code; kNoThread if somebody is in the conductor.
ThreadId holder();

}  // namespace snarl::turn
