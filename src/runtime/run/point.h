// The schedule point: every hook ends here. Calls come from the thread that has the turn.
#pragma once

#include "runtime/state/thread.h"
#include "schedule/operation.h"

namespace snarl::runtime::engine {

// Publishes the operation, waits for the turn, performs it in the model. What the real object needs is done by the
// caller, after this. errno-style result.
int point(Thread& self, const Op& op);

// The same where it is known that somebody must be asked (runtime/run/quick_point.h).
int point_decided(Thread& self, const Op& op);

// The point after an operation that enables others.
void point_after(Thread& self, const Op& did);

// An atomic operation was performed, and only now its order is known. Of a traced run: what it has left at `object`.
uint64_t performed(Thread& self, uint64_t object, MemoryOrder order);

}  // namespace snarl::runtime::engine
