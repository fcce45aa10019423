// For threads that reach no schedule point: they sleep in a call that we know nothing of, or
// they compute, perhaps for ever, waiting for a variable to change.
//
// There is no thread for this. The thread that last gave up the turn looks at the one that
// has it, every few milliseconds, while it waits at its gate.
#pragma once

#include <cstdint>

#include "runtime/thread.h"
#include "wire/layout.h"

namespace snarl::watchdog {

constexpr uint64_t kLookEvery = 5'000'000;  // nanoseconds

void begin(const wire::Patience& patience);

// The thread that is to look from now on, instead of the last one.
void appoint(const Thread& watcher);
bool is_watching(const Thread& self);

// One look, by the watching thread, when its gate has stayed closed for kLookEvery.
void look(Thread& self);

// The thread that has the turn reached a schedule point.
void note_arrival();

// Our signal for those who compute: stop here and let others run.
void install();

}  // namespace snarl::watchdog
