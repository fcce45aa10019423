// The loops without schedule points that a run was recorded in, and the loads in them that are to be points from the
// next epoch on.
#pragma once

#include "record/spin_loops.h"
#include "wire/layout.h"

namespace snarl::explore {

// From what the run left in the wire, and from the files that it had loaded.
record::SpinLoops read_spin_loops(const wire::Layout& layout);

}  // namespace snarl::explore
