// Which thread has the turn, and whether it is in the program's code or in the conductor.
//
// Normally the turn is passed on, in the conductor, by the thread that has it. A thread that has it but got stuck
// (asleep in a call that we know nothing of) can have it taken away by the watchdog, but only while it is in the
// program's code. Threads enter and leave the conductor at every point and lose the turn next to never, so all that the
// decision between the two costs is with the watchdog:
//
//   the thread:    A1 in_conductor = true    A2 reads its claim; if there is one, it is contested (a real exchange)
//   the watchdog:  B1 makes a claim          B2 a barrier on all cores (membarrier)    B3 reads in_conductor
//
// Not both can win: B2 lies before A1, then A2, which the compiler leaves after A1, sees the claim; or B2 lies after
// A1, then B3 sees the thread in the conductor. A contested claim is settled by a compare-and-swap, which only one of
// them can win. All other variables are written by the thread that has the turn.
#pragma once

#include "runtime/state/thread.h"

namespace snarl::runtime::turn {

enum Claim : uint32_t { kNone, kClaimed, kTaken };

// The run begins: main has the turn and is in the program's code.
void begin();

[[gnu::cold]] bool contest(Thread& self);

// The calling thread, which has the turn, enters the conductor. False if the turn was taken away: the thread has it
// again, and is in the conductor, when it was chosen and has called regain().
inline bool enter(Thread& self) {
  __atomic_store_n(&self.in_conductor, true, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return __builtin_expect(__atomic_load_n(&self.claim, __ATOMIC_RELAXED) == kNone, 1) || contest(self);
}
void regain(Thread& self);

// It goes back to the program's code.
[[gnu::always_inline]] inline void leave(Thread& self) {
  __atomic_store_n(&under_way.last, self.id, __ATOMIC_RELAXED);
  __atomic_store_n(&self.in_conductor, false, __ATOMIC_RELEASE);
}

// Somebody else takes the turn from `from` and is in the conductor then. False if `from` was faster.
bool take_from(Thread& from);

// Has the turn, in the program's code; kNoThread if somebody is in the conductor.
ThreadId holder();

}  // namespace snarl::runtime::turn
