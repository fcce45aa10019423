// Tiny virtual programs with one known bug each, and correct ones, for the tests of
// policies, conductor and replay.
#pragma once

#include <vector>

#include "virtual/world.h"

namespace snarl {

struct MiniProgram {
  const char* name;
  virtual_world::VirtualProgram body;
  OutcomeKind fails;  // how the bug shows; kOk for a correct program
  double depth;       // enough for pct to find it
  uint32_t n;         // threads
  Step k;             // at least the steps of any run that ends
};

std::vector<MiniProgram> wrong_programs();
std::vector<MiniProgram> correct_programs();
std::vector<MiniProgram> spinning_programs();  // correct ones that wait by yielding

}  // namespace snarl
