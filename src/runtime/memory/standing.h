// Threads that stand at accesses of memory. Two that stand at accesses to the same bytes at the same moment, one of
// them a write and not both atomic, are a data race, whatever else the program does: each could be the next step. So
// this needs no knowledge of what orders threads, and it is what a race is reported by.
#pragma once

#include "runtime/state/thread.h"
#include "schedule/operation.h"

namespace snarl::runtime::standing {

extern bool is_on;  // in this run

void begin();

// `self` has arrived at the access, and will go on or wait there: is another thread at the same bytes?
void look(Thread& self, const Op& op);

// It may wait there from now on, until it goes on.
void wait(const Thread& self, const Op& op);
void leave(const Thread& self);

}  // namespace snarl::runtime::standing
