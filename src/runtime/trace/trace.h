// The trace: an event for every step, with its stack, for the run that a report is made from. By the thread that has
// the turn.
#pragma once

#include "runtime/state/thread.h"
#include "schedule/decision.h"
#include "schedule/operation.h"

namespace snarl::runtime {

// `counted`: 1 if the operation counts as a step, 0 while only one thread lives.
void trace_step(const Thread& self, const Op& op, int result, Reason switched, Step counted);

// The thread that the step just traced has created: nobody knew it before.
void trace_created(const Thread& child);

// The atomic operation of the step just traced was performed, and only now its order is known: a compare-exchange that
// fails has another one. Returns what it has left at `object`.
uint64_t trace_performed(const Thread& self, uint64_t object, MemoryOrder order);

}  // namespace snarl::runtime
