// The word that malloc leaves in each block of its cache, 8 bytes from the block's begin, and takes away when it hands
// the block out again. 0: it is not known (runtime/simulated/heap_key sets it).
#pragma once

#include <cstdint>

namespace snarl::runtime {

extern uint64_t freed_key;

}  // namespace snarl::runtime
