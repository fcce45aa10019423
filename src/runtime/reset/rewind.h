// Reset rewind: one process makes one run after the other. After each, its memory and what the kernel keeps for it are
// put back to what they were at main.
//
// A run is in the same memory as a copy of the fork server would be: ours is put back, too. Only what this needs itself
// lies apart. A run that is about to do what could not be undone ends the process, and the explorer then has it made by
// a copy instead.
//
// Orders come in series (wire/series.h). Between the runs of a series nobody is asked, and no page is looked for: what
// runs are known to write is copied back. At its end the process looks whether that was all.
#pragma once

namespace snarl::runtime::rewind {

// Comes back once for each run that is ordered, at main.
void serve(int control);

}  // namespace snarl::runtime::rewind
