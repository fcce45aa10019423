// How a run ended, from the wait status, our own timeout, and what the runtime wrote.
#pragma once

#include "record/record.h"

namespace snarl::record {

// Replaces the runtime's opinion in `record` by the truth. Afterwards kNone means *lost*: ended by a SIGKILL that was
// neither ours nor, as far as the runtime saw, the program's. That is not a verdict yet: it may have been meant for
// this one process (an impatient user).
void settle(RunRecord& record, int wait_status, bool timed_out);

// A run that is lost each time it is tried ends by that signal: the program needs more memory than there is, or sends
// it in a way that the runtime does not see. So many times:
constexpr int kMostLosses = 3;
void settle_lost(RunRecord& record);

// Did the runtime itself fail in this run (exit code 125 with its own sentence on stderr)?
bool is_internal_error(const RunRecord& record);

}  // namespace snarl::record
