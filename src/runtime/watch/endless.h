// Threads that compute without a schedule point, and will for ever: while (!done) {} with nobody left to set `done`.
#pragma once

#include <ucontext.h>

#include "runtime/state/thread.h"

namespace snarl::runtime::endless {

void begin();

// Somebody has passed a point: what was seen before does not count.
void forget();

// `self`, which has the turn, was stopped there. Does it run in a circle, like all others who could go on, and can
// nobody else end that?
bool is_so(const Thread& self, const ucontext_t& stopped);

// Was it seen twice in the same state since its last point, going by is_so()?
bool runs_in_a_circle(const Thread& self);

}  // namespace snarl::runtime::endless
