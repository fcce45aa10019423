// Pinning, hidden from the program.
#pragma once

namespace snarl::runtime {

// Pins the process to that core. False if it can't be (it then runs unpinned, only slower).
bool pin_to(int cpu);

// Undoes it.
void unpin();

}  // namespace snarl::runtime
