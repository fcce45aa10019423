// The places at which plain accesses are points, as addresses of this process: those of the order, which earlier runs
// have learned.
//
// Called by the thread that has the turn.
#pragma once

#include <cstdint>

#include "wire/layout.h"

namespace snarl::runtime::known_places {

// For all runs of this process from now on: each only takes over what was made here, if its order has places.
void prepare();

// A run begins, with memory points.
void begin();

bool has(uint64_t pc);

// A file was loaded meanwhile.
void note_loaded(const wire::Module& module);

}  // namespace snarl::runtime::known_places
