// The threads of a parallel run: made, joined, ended.
#pragma once

#include "runtime/thread.h"

namespace snarl::parallel {

// The calling thread is main, the only one.
void begin_threads();

// Says in the wire which threads were enabled when the run ended.
void write_enabled();

}  // namespace snarl::parallel
