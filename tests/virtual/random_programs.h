// Virtual programs made by chance, for tests that compare two ways of running the same thing: they take locks,
// wait, time out, yield and read the clock in any order, and may well deadlock.
#pragma once

#include <cstdint>

#include "virtual/world.h"

namespace snarl {

// Up to four threads; the same program for the same seed.
virtual_world::VirtualProgram random_program(uint64_t seed);

}  // namespace snarl
