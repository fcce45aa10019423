// What a run inside the tested process consists of: the wire, and the conductor. The flags are in under_way.h.
#pragma once

#include <new>

#include "conduct/conductor.h"
#include "runtime/state/under_way.h"
#include "wire/layout.h"

namespace snarl::runtime {

// Finds libc's own functions and the wire (reset/start.cc); does nothing the second time.
// (Null in library mode, which is called when it is wanted.)
void load_runtime() __attribute__((weak));

namespace engine {

// The shared memory, or null if this process was not started by snarl.
extern wire::Layout* shared;

// Constructed by begin_run (run/begin.h); in raw memory, because a global constructor would touch it all and nothing
// may run before it anyway.
extern char conductor_memory[];
inline conduct::Conductor& conductor() {
  return *std::launder(reinterpret_cast<conduct::Conductor*>(conductor_memory));
}

}  // namespace engine
}  // namespace snarl::runtime
