// Patches loaded files: every atomic instruction, every load of a loop that was seen to spin, and every function that
// the user named, becomes a schedule point.
#pragma once

#include <cstdint>

namespace snarl::runtime::patch {

// Every file that is loaded now, and every one that is loaded from now on, if the levels of points ask for it.
// Called when one thread lives, before main.
void begin();

// Tells the explorer what was patched so far.
void publish();

// The trampoline that stands for the instruction that brought about the signal; 0: it is not ours.
uint64_t trap_target(int signal, uint64_t pc);
bool has_traps();
bool traps_are_illegal();  // they raise SIGILL instead of SIGTRAP

}  // namespace snarl::runtime::patch
