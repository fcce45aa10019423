// The end of a thread: its destructors run under control, before its exit step (spec 0, rule 3).
#pragma once

#include "runtime/thread.h"

namespace snarl {

// Calls the start routine; returns its result, or what pthread_exit was given, or
// PTHREAD_CANCELED. The stack is unwound to here by libc in the latter two cases.
void* run_to_end(Thread& self, void* (*routine)(void*), void* argument);

// thread_local destructors, as libstdc++ registered them; newest first.
void run_tls_destructors(Thread& self);

// Destructors of pthread keys, up to PTHREAD_DESTRUCTOR_ITERATIONS rounds.
void run_key_destructors(Thread& self);

}  // namespace snarl
