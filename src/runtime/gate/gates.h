// Gates: every thread is a real one, sleeping on a futex of its own unless it has the turn.
//
// The process is pinned to one core (a handoff costs 2.7 us there and ten times as much
// across cores), so of all threads only the one with the turn is ever runnable.
#pragma once

#include "runtime/state/thread.h"

namespace snarl::runtime::gates {

// Lets `to` run.
void open(Thread& to);

// Sleeps until open(self). Meanwhile the thread answers what it is asked, and looks at who runs if it is the watcher.
void wait(Thread& self);

// Wakes a sleeping thread only to make it look at who is watching now.
void nudge(Thread& sleeper);

// The values of a gate.
constexpr uint32_t kClosed = 0, kOpen = 1, kAsked = 2, kNudged = 3;

// Makes the sleeping thread `of` do `what`; returns when it has, or after a tenth of a second if it does not answer (it
// is not at its gate).
void ask(Thread& of, void (*what)(Thread&));

// What a sleeping thread does when its gate says kAsked.
void answer(Thread& self);

// As runtime/run/switching.h says.
int create(Thread& child, pthread_t* handle, const pthread_attr_t* attributes);
int join(Thread& ended, void** result);
int detach(Thread& thread);

}  // namespace snarl::runtime::gates
