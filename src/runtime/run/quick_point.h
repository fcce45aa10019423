// The points of ordinary mutexes, at which the thread mostly goes on at once: inlined into the hooks, where it is known
// what happens, and where nothing has to be put together in memory.
#pragma once

#include "conduct/quick.h"
#include "runtime/simulated/signals.h"
#include "runtime/state/state.h"
#include "runtime/state/turn.h"
#include "runtime/state/watcher.h"

namespace snarl::runtime::engine {

// `what` is kLock or kUnlock. True: the step has been taken, with result 0, and the thread is still in the conductor:
// turn::leave() is for the caller to call. False: nothing has happened, and point_decided() is next.
[[gnu::always_inline]] inline bool step_mutex_at_once(Thread& self, OpKind what, const pthread_mutex_t* mutex,
                                                      uint64_t pc) {
  if (__builtin_expect(self.cancel_anywhere, 0) || __builtin_expect(signals::have_come(), 0) || !turn::enter(self))
    return false;
  watcher::note_arrival();
  return conductor().step_mutex_at_once(what, self.id, reinterpret_cast<uint64_t>(mutex), pc);
}

// After that: the point after the operation, if nothing speaks against it.
[[gnu::always_inline]] inline bool step_after(const Thread& self) {
  return __builtin_expect(self.uninterrupted == 0, 1) && conductor().quiet_step(self.id);
}

}  // namespace snarl::runtime::engine
