// Calls that the kernel may let wait: the thread publishes what it waits for, and makes the
// call when that has come, so that the call returns at once and others run meanwhile.
#pragma once

#include <stdio.h>

#include <cstdint>

#include "runtime/simulated/outside.h"

namespace snarl::runtime {

// The step at which it has come. 0; ETIMEDOUT if `timed` and the deadline was first; EINTR if a
// signal handler ended the wait.
int await(Thread& self, const Readiness& readiness, uint64_t pc, bool timed = false, uint64_t deadline = 0);

// The same for a stream that is about to be read and has nothing in its buffer.
void await_stream(FILE* stream, uint64_t pc);

}  // namespace snarl::runtime
