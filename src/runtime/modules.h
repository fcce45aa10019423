// The list of loaded files in the wire: addresses mean nothing without it.
#pragma once

#include <cstdint>

namespace snarl {

// Those that are loaded now; not from a signal handler.
void list_modules();

// The one that holds this address, if it was loaded since.
void list_module_of(uint64_t pc);

}  // namespace snarl
