// Descriptors 0 to 2 and SIGPIPE: safe for us, and as they were given to us in the processes that we start.
//
// Otherwise a file of ours could get the number 2 and be filled with messages, and a reader that closes its end (`|
// head -1`) would end the exploration.
#pragma once

namespace snarl::os {

// Call it first, once. From then on a standard stream that was closed is /dev/null, and it is closed again in each
// process that is exec'ed with our streams. SIGPIPE is ignored: writing to a pipe without a reader is an error like any
// other.
void secure_streams();

// In a process that is about to exec: restores what SIGPIPE did when we were started. A system call only.
void give_back_sigpipe();

}  // namespace snarl::os
