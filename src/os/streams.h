// Descriptors 0 to 2 and SIGPIPE: safe for us, and as they were given to us for what we start.
//
// Without it a file of ours could get the number 2, and would be written full of messages; and a reader who leaves
// (`| head -1`) would end the exploration.
#pragma once

namespace snarl::os {

// Call it first, once. A standard stream that is closed is /dev/null from here on, and closed again in whatever is
// exec'ed with our streams. SIGPIPE is ignored: writing to a reader who has left is an error like any other.
void secure_streams();

// In a process that is about to exec: SIGPIPE does again what it did when we were started. A system call only.
void give_back_sigpipe();

}  // namespace snarl::os
