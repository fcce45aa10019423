// What threads wait for outside of the program: the kernel's answers, which the conductor asks for when nobody else can
// run.
#pragma once

#include "conduct/outside.h"
#include "runtime/state/thread.h"

namespace snarl::runtime {

// The conductor's eyes.
conduct::Outside& real_outside();

// Has it come? What the thread waits for is asked by whichever thread has the turn, from start to stop; it must live as
// long.
bool is_ready(const Readiness& readiness);
void start_awaiting(Thread& self, const Readiness& readiness);
void stop_awaiting(Thread& self);

// Whether signals may come from outside has changed.
void note_expectation();

// Descriptors whose other end the program has itself (pipe, socketpair, eventfd, timerfd): as long
// as it has no children, nobody outside can make them ready.
void note_own(int fd, bool own);
bool is_own(int fd);

}  // namespace snarl::runtime
