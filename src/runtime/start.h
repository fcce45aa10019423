// How the runtime comes to life (start.cc).
#pragma once

namespace snarl {

// Finds libc's own functions and the wire; does nothing the second time.
void load_runtime();

}  // namespace snarl
