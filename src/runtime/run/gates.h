// Gates: every thread is a real one, sleeping on a futex of its own unless it has the turn.
//
// The process is pinned to one core (a handoff costs 2.7 us there and ten times as much
// across cores), so of all threads only the one with the turn is ever runnable.
#pragma once

#include "runtime/run/thread.h"

namespace snarl::runtime::gates {

// Lets `to` run.
void open(Thread& to);

// Sleeps until open(self). Meanwhile the thread answers requests for its stack.
void wait(Thread& self);

// Wakes a sleeping thread only to make it look at who is watching now.
void nudge(Thread& sleeper);

// The values of a gate.
constexpr uint32_t kClosed = 0, kOpen = 1, kWriteStack = 2, kNudged = 3;

// What a sleeping thread does when its gate says kWriteStack.
void answer_with_stack(Thread& self);

// Makes the sleeping thread `of` write its stack (runtime/run/ending.h); returns when it has,
// or after a tenth of a second if it does not answer (it is not at its gate).
void ask_for_stack(Thread& of);

// As runtime/run/switching.h says.
int create(Thread& child, pthread_t* handle, const pthread_attr_t* attributes);
int join(Thread& ended, void** result);
int detach(Thread& thread);

}  // namespace snarl::runtime::gates
