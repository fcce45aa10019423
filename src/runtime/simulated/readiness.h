// Calls that the kernel may let wait: the thread publishes what it waits for, and makes the
// call when that has come, so that the call returns at once and others run meanwhile.
#pragma once

#include <stdio.h>

#include <cstdint>

#include "conduct/outside.h"
#include "runtime/run/thread.h"

namespace snarl::runtime {

// The step at which it has come. 0; ETIMEDOUT if `timed` and the deadline was first; EINTR if a
// signal handler ended the wait.
int await(Thread& self, const Readiness& readiness, uint64_t pc, bool timed = false, uint64_t deadline = 0);

// A Readiness is asked by whichever thread has the turn, from start to stop; it must live as long.
void start_awaiting(Thread& self, const Readiness& readiness);
void stop_awaiting(Thread& self);

// Whether signals may come from outside has changed.
void note_expectation();

// The same for a stream that is about to be read and has nothing in its buffer.
void await_stream(FILE* stream, uint64_t pc);

// Can a call on this descriptor wait? Files and devices never do.
bool may_wait(int fd);

// Standard output and error as the process was given them: the explorer's pipes, which it empties, so that a write
// there only takes a while. The program may put something else in their places.
void note_outputs();
bool is_output(int fd);

// Descriptors whose other end the program has itself (pipe, socketpair, eventfd, timerfd): as long
// as it has no children, nobody outside can make them ready.
void note_own(int fd, bool own);
bool is_own(int fd);

// The conductor's eyes.
conduct::Outside& real_outside();

}  // namespace snarl::runtime
