// Empty functions that others call for our sake: the loader's for debuggers, the sanitizers' for whoever defines them.
// Where the call can't be led elsewhere, the function itself becomes a jump.
#pragma once

#include <cstdint>

namespace snarl::runtime::patch {

// False if the function at that address is not empty, or may not be changed. 0: there is none.
bool lead_empty_function(uint64_t at, void (*to)());

}  // namespace snarl::runtime::patch
