// Pages that runs write. Each is a page fault, in every copy of the fork server anew; a copy that asks the kernel for
// all of them first takes half the time for it. Which ones they are is learned from a few runs, and only costs time if
// it is wrong: a page that is made the copy's own holds what it held.
#pragma once

#include <cstdint>

namespace snarl::written_pages {

// Called before the C library starts the program: handlers run in reverse order, and ours after all destructors. Also
// where nothing is learned, as the program's own handlers are to be kept in the same places everywhere.
void watch_end();

// In the server, before its nth copy, from 1.
void before_copy(uint64_t nth);

// In the copy, before it writes anything.
void in_copy();

}  // namespace snarl::written_pages
