// The stack of a thread at the end of a run, beside its entry in the wire.
#pragma once

#include "runtime/state/thread.h"

namespace snarl::runtime {

// Of the calling thread.
void write_own_stack(Thread& self);

}  // namespace snarl::runtime
