// Copies of this process that are children of its parent, which so learns how they end.
#pragma once

namespace snarl::runtime {

// Returns 0 in the copy, otherwise its process id, or -errno. This is not libc's fork: no atfork handler runs. The
// process has one thread.
long copy_process();

// In the copy: it leads a process group of its own, and ends when the thread that it is a child of does.
void stand_alone();

}  // namespace snarl::runtime
