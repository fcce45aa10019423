// How a run ended, from the wait status, our own timeout, and what the runtime wrote.
#pragma once

#include "explore/record.h"

namespace snarl {

// Replaces the runtime's opinion in `record` by the truth. Afterwards kNone means *lost*: ended
// by a SIGKILL that was not ours (an impatient user, the kernel short of memory), which is
// no verdict about the program.
void settle(RunRecord& record, int wait_status, bool timed_out);

// Did the runtime itself fail in this run (exit code 125 with its own sentence on stderr)?
bool is_internal_error(const RunRecord& record);

}  // namespace snarl
