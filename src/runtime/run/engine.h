// A run inside the tested process: the conductor, the switching layer and the wire together.
//
// Every hook ends here. Calls come from the thread that has the turn.
#pragma once

#include <cstdint>
#include <new>

#include "conduct/conductor.h"
#include "runtime/run/thread.h"
#include "schedule/operation.h"
#include "wire/layout.h"

namespace snarl::runtime::engine {

// The shared memory, or null if this process was not started by snarl.
extern wire::Layout* shared;

// Starts the run that the wire's command orders; the calling thread is its main thread.
void begin_run();

// The schedule point: publishes the operation, waits for the turn, performs it in the
// model. What the real object needs is done by the caller, after this. errno-style result.
int point(Thread& self, const Op& op);

// The same where it is known that somebody must be asked (runtime/run/quick_point.h).
int ask(Thread& self, const Op& op);

// The point after an operation that enables others.
void point_after(Thread& self, const Op& did);

// An atomic operation was performed, and only now its order is known. Of a traced run: what it has left at `object`.
uint64_t performed(Thread& self, uint64_t object, MemoryOrder order);

// A new thread; its OS thread has not been made yet, and may still fail to be.
Thread* spawn(Thread& parent, bool detached, uint64_t start_pc, uint64_t create_pc);
void unspawn(Thread& parent, Thread& child);

// The first thing and the last thing that a new thread does.
void start(Thread& self);
void leave(Thread& self);

// The running thread computes without a point: others get a turn (watchdog).
void give_way(Thread& self);

// The running thread sleeps in a call that we know nothing of: `by`, asleep at its gate, takes
// the turn from it and lets somebody run. The thread comes back at its next point.
void take_turn_from(Thread& sleeper, Thread& by);

// This process is a copy that the tested program made: it is outside, nothing is controlled in it.
void abandon();

// Constructed by begin_run; in raw memory, because a global constructor would touch it all and nothing may run before
// it anyway.
extern char conductor_memory[];
inline conduct::Conductor& conductor() {
  return *std::launder(reinterpret_cast<conduct::Conductor*>(conductor_memory));
}

}  // namespace snarl::runtime::engine
