// z3, where it is installed: loaded when it is needed, so neither the build nor anything else needs it.
#pragma once

#include "detect/causal_races.h"

namespace snarl::explore {

// An empty function: libz3 is not installed.
detect::Solver load_solver();

}  // namespace snarl::explore
