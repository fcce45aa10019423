// Memory of ours that some runs have and others have not: where races are looked for, steps are traced, or places are
// learned. It lies below all else, so that it does not move the program's own mappings: the handles of its threads are
// addresses, and a program that goes by them (libstdc++'s std::barrier hashes its thread's) takes the same steps in a
// campaign and in a replay.
#pragma once

#include <cstdint>

namespace snarl::runtime {

// Zeroed; costs nothing until it is touched. Null if there is none.
void* map_own_memory(uint64_t size);

}  // namespace snarl::runtime
