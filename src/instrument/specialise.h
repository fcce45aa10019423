// Rewrites a module's hooks before plain accesses for the level of points of this process.
#pragma once

#include "instrument/block.h"

namespace snarl::instrument {

// Call it before any other thread can be in them. If code may not be written, nothing changes, and the hooks are
// slower.
void specialise(Accesses accesses);

}  // namespace snarl::instrument
