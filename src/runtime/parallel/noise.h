// Noise in a parallel run: real yields and sleeps at the events of the groups that the plan names.
#pragma once

#include "policy/noise.h"
#include "runtime/state/thread.h"

namespace snarl::runtime::parallel {

// `noise` lives as long as the run; null: there is none, and no group is listed.
void begin_noise(const policy::Noise* noise, Arena& arena);

// A new thread in that slot: its objects are numbered from the start.
void name_objects_of(ThreadId t);

// The calling thread has arrived at a point.
void make_noise(Thread& self);

}  // namespace snarl::runtime::parallel
