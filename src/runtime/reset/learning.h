// What later copies of the fork server need is learned from a few runs, which say at their end what they used.
#pragma once

#include <cstdint>

namespace snarl::runtime::learning {

// Called before the C library starts the program: handlers run in reverse order, and ours after all destructors. Also
// where nothing is learned, as the program's own handlers are to be kept in the same places everywhere.
void watch_end();

// In the server, before its nth copy, from 1.
void before_copy(uint64_t nth);

// In the copy, before it writes anything.
void in_copy();

}  // namespace snarl::runtime::learning
