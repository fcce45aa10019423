// What is left against a hang where a thread that others wait for comes to no point: low threads must not wait for it
// for good, and no chance per point can help them.
//
// Whoever sleeps in a call that we know nothing of is taken for blocked. Whoever computes is stopped by a signal and
// makes way, but only after seconds of its own CPU time: time is not part of ppct (PLDI'12, section 3.1.3), and real
// work must be left alone. Both are marked in the run. The places where it was stopped are kept in the wire, and in
// later runs, or later in this one, they are points: whoever computes there makes way at the next look.
#pragma once

#include <ucontext.h>

#include "runtime/parallel/desk.h"

namespace snarl::runtime::parallel {

void begin_last_resort();

// By a low thread that waits, now and then.
void look_at_those_before(Desk& desk, const Thread& self);

// In a signal handler of the thread that was stopped there.
void stop_here(Thread& self, ucontext_t& stopped);

}  // namespace snarl::runtime::parallel
