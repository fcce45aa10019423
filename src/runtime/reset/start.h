// How the runtime comes to life (start.cc).
#pragma once

namespace snarl::runtime {

// Finds libc's own functions and the wire; does nothing the second time.
// (Null in library mode, which is called when it is wanted.)
void load_runtime() __attribute__((weak));

}  // namespace snarl::runtime
