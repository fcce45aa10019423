// The lives of a run's threads, and what takes the turn from one of them. Calls come from the thread that has the turn,
// unless it says otherwise.
#pragma once

#include <cstdint>

#include "runtime/state/thread.h"

namespace snarl::runtime::engine {

// A new thread; its OS thread has not been made yet, and may still fail to be.
Thread* spawn(Thread& parent, bool detached, uint64_t start_pc, uint64_t create_pc);
void unspawn(Thread& parent, Thread& child);

// What every thread of the program runs instead of its start routine: from its start step to its exit step. Begins
// without the turn.
void* live(Thread& self);

// The thread's exit step, the last thing that it does.
void leave(Thread& self);

// The running thread computes without a point: others get a turn (watchdog).
void give_way(Thread& self);

// The running thread sleeps in a call that we know nothing of: `by`, asleep at its gate, takes
// the turn from it and lets somebody run. The thread comes back at its next point.
void take_turn_from(Thread& sleeper, Thread& by);

// This process is a copy that the tested program made: it is outside, nothing is controlled in it.
void abandon();

}  // namespace snarl::runtime::engine
