// What libc leaves in freed blocks, and in dead stack frames, is the same in every process.
//
// malloc marks the blocks of its cache with a random key of the process, and the guard of stack frames is random too.
// Whoever reads memory after it was freed, or before it was set, reads those: with another value in each process, what
// was found would not repeat.
#pragma once

namespace snarl::runtime {

// Sets malloc's key to a constant, also in the blocks that are in the cache already: otherwise a second free of one of
// those would go unnoticed. Where the key lies is found by looking what a `free` writes; if it is not found beyond
// doubt, or if the heap is not libc's, all stays as it is. Once per process, before the program's own code runs.
void repeat_heap_key();

// The kernel's random bytes, and the guard of stack frames that libc makes of them. No frame that has the old guard may
// return any more: for the caller that never does. (The guard of pointers has been used already, and stays.)
void repeat_guards();

}  // namespace snarl::runtime
