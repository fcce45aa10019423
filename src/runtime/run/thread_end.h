// The life of a thread, and its end: destructors run under control, before the exit step (docs/rules.md, rule 3).
#pragma once

#include "runtime/run/thread.h"

namespace snarl::runtime {

// What every thread of the program runs instead of its start routine: from its start step to its exit step.
void* live(Thread& self);

// Calls the start routine; returns its result, or what pthread_exit was given, or
// PTHREAD_CANCELED. The stack is unwound to here by libc in the latter two cases.
void* run_to_end(Thread& self, void* (*routine)(void*), void* argument);

// thread_local destructors, as libstdc++ registered them; newest first.
void run_tls_destructors(Thread& self);

// Destructors of pthread keys, up to PTHREAD_DESTRUCTOR_ITERATIONS rounds.
void run_key_destructors(Thread& self);

// The calling thread's values of all keys are null from here on, whatever has no destructor included.
void drop_key_values();

}  // namespace snarl::runtime
