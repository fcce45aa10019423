// On which cores the threads of a parallel run may be: on all that the program was given, or, while they only
// hand on to each other, on one (conduct/spread.h). The program does not see it.
#pragma once

#include "runtime/state/thread.h"

namespace snarl::runtime::parallel {

void begin_cores();

// With the desk locked: all threads go to the calling thread's core, or may be anywhere again. False if the
// program takes care of its cores itself.
bool gather();
void scatter();

// A new thread may have been made by one that was gathered, or not.
void join_others(Thread& self);

}  // namespace snarl::runtime::parallel
