// Rewrites a module's hooks before plain accesses for what they are for in this process.
#pragma once

#include "instrument/block.h"

namespace snarl::instrument {

// Before any other thread can be in them. Where code may not be written, nothing changes: the hooks are slower then.
void specialise(Accesses accesses);

}  // namespace snarl::instrument
