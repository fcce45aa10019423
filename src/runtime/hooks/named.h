// Functions that the user named: points at their entries, and locks of the program's own that block exactly.
#pragma once

#include "runtime/patch/points.h"

namespace snarl::runtime::patch {

// Where the thread's stack ended at the point.
uint64_t stack_pointer(const Registers& registers);

// Once, before the first run: looks at what the user said of them.
void begin_named();

// A thread is at the entry of one, or at a return.
void at_named(const Registers& registers, const Point& point);

}  // namespace snarl::runtime::patch
