// The block that compiled-in hooks look at (src/instrument), as a run goes on: which accesses are points, who runs,
// where its calls came from. What the hooks call is hooks/compiled_in.h.
#pragma once

#include "runtime/state/thread.h"

namespace snarl::runtime::instrumented {

// Before the first run: nothing is a point yet.
void prepare();

// A run begins; main has the turn.
void begin(const Thread& main);
bool has_begun();  // at least one has

// The thread has the turn now.
void running(const Thread& self);

// The thread has taken its last step.
void ended(const Thread& self);

// Is a plain access at that place a point in this run?
bool is_point(uint64_t pc);

// An access that is no point, in a profiling run: true if there were so many in a row that it is to be one.
bool is_one_too_many();
void forget_undecided();  // there was a point

// A file with hooks was loaded meanwhile; the address is in it.
void note_loaded(uint64_t address);

// Where the calls of the thread that has the turn came from, innermost first, as its functions told; how many.
uint32_t copy_callers(uint64_t* to, uint32_t most);

}  // namespace snarl::runtime::instrumented
