// For threads that reach no schedule point: they sleep in a call that we know nothing of, or
// they compute, perhaps for ever, waiting for a variable to change.
//
// There is no thread for this. The thread that last gave up the turn looks at the one that
// has it, every few milliseconds, while it waits at its gate.
#pragma once

#include <cstdint>

#include "runtime/run/thread.h"
#include "wire/layout.h"

namespace snarl::runtime::watchdog {

constexpr uint64_t kLookEvery = 1'000'000;  // nanoseconds: once a millisecond

void begin(const Patience& patience);

// The thread that is to look from now on, instead of the last one.
void appoint(const Thread& watcher);
bool is_watching(const Thread& self);

// Nobody is at a gate, so nobody can look. The next thread that is made will.
void dismiss();
bool is_appointed();

// One look, by the watching thread, when its gate has stayed closed for kLookEvery.
void look(Thread& self);

// The thread, which sleeps, does so in a call. One who writes what the explorer reads is not blocked, nor one who woke
// up.
bool is_blocked(int tid);

// The thread that has the turn, which alone writes it, reached a schedule point.
// In the wire: on fibers the explorer looks (explore/execute/fiber_watch.h).
extern uint64_t* arrivals;
inline void note_arrival() { __atomic_store_n(arrivals, *arrivals + 1, __ATOMIC_RELAXED); }

// Our signal for those who compute: stop here and let others run.
void install();

}  // namespace snarl::runtime::watchdog
