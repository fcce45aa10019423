// Plays a script in a virtual world.
#pragma once

#include "tests/virtual/script.h"
#include "virtual/world.h"

namespace snarl {

// Notes the result of every operation. The script outlives the program.
virtual_world::VirtualProgram play(const Script& script);

}  // namespace snarl
