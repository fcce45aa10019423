// Misuse of synchronisation objects, from the model's suspicion to an entry in the wire.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/state/thread.h"
#include "schedule/misuse.h"

namespace snarl::runtime {

// The operation that `self` has just performed in the model looks like a misuse. It has not been
// performed on the program's own object, which has the last word.
// False if that says otherwise.
[[gnu::cold]] bool consider_misuse(Thread& self, const Misuse& misuse);

// Is it one after which the run can't go on?
inline bool ends_run(const Misuse& misuse) { return misuse.kind == MisuseKind::kUseAfterFree; }

// Writes it down, unless the same was written before or misuse is not looked for. `events_to_come`: how
// many events of the trace still belong to the call.
void note_misuse(const Misuse& misuse, uint64_t events_to_come = 0);

// A call that never reached the model, because the object says that it was destroyed.
void note_use_of_destroyed(Thread& self, OpKind op, const void* object, uint64_t pc);

// The locks that somebody holds while the process ends.
void note_held_at_exit(Thread& self, uint64_t pc);

// Around a fork: what other threads hold now, nobody will unlock in the copy.
void remember_held(const Thread& self);
void become_copy();
// In the copy: is the calling thread about to wait for such a lock?
void look_at_lock_in_copy(const pthread_mutex_t* mutex, uint64_t pc);

}  // namespace snarl::runtime
