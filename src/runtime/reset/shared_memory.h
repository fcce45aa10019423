// Memory that the program made before main to share it with its children (mmap, MAP_SHARED without a file). A copy of
// the server would share it with the server, and so with all later copies: each gets one of its own, as it was at main.
#pragma once

namespace snarl::runtime::shared_memory {

// In the server, before any copy.
void list();
// In a copy, before the program runs.
void make_own();

}  // namespace snarl::runtime::shared_memory
