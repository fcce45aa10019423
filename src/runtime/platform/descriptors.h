// What the kernel says of a descriptor.
#pragma once

namespace snarl::runtime {

// Standard output and error as the process was given them: the explorer's pipes, which it empties, so that a write
// there only takes a while. The program may put something else in their places. Noted once, before the first run.
void note_outputs();
bool is_output(int fd);

// Can a call on this descriptor wait? Files and devices never do.
bool may_wait(int fd);

// The thread, which sleeps, does so in a call. One who writes what the explorer reads is not blocked, nor one who woke
// up.
bool is_blocked(int tid);

}  // namespace snarl::runtime
