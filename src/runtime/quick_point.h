// Points that are inlined into the hooks: there it is known what happens, and after a switch there are fewer returns,
// which the processor expects to be those of another thread. Of ordinary mutexes only what happens mostly, that the
// thread goes on at once.
#pragma once

#include "conduct/quick.h"
#include "runtime/engine.h"
#include "runtime/signals.h"
#include "runtime/turn.h"
#include "runtime/watchdog.h"

namespace snarl::engine {

// The turn was taken away. The thread has it again, and is in the conductor, when this returns.
[[gnu::cold]] void come_back(Thread& self);

// The rest of a point at which the thread does not just go on.
int ask_inside(Thread& self, const Op& op);

// Into the conductor, from the program's code.
[[gnu::always_inline]] inline void enter(Thread& self) {
  quiet::stop(self);
  turn::enter(self) ? watchdog::note_arrival() : come_back(self);
}

// As point().
[[gnu::always_inline]] inline int point_here(Thread& self, const Op& op) {
  if (__builtin_expect(self.cancel_anywhere, 0)) return ask(self, op);
  enter(self);
  signals::note_come();
  if (!conductor().go_on(self.id, op)) return ask_inside(self, op);
  turn::leave(self);
  return 0;
}

// `what` is kLock or kUnlock. True: the step has been taken, with result 0, and the thread is still in the conductor:
// turn::leave() is for the caller to call. False: nothing has happened, and ask() is next.
[[gnu::always_inline]] inline bool mutex_goes_on(Thread& self, OpKind what, const pthread_mutex_t* mutex, uint64_t pc) {
  const bool usual = !self.cancel_anywhere && !signals::has_any_come();
  if (__builtin_expect(!usual, 0) || !turn::enter(self)) return false;
  watchdog::note_arrival();
  return conductor().mutex_goes_on(what, self.id, reinterpret_cast<uint64_t>(mutex), pc);
}

// After that: the point after the operation, if nothing speaks against it.
[[gnu::always_inline]] inline bool passes(const Thread& self) {
  return self.uninterrupted == 0 && conductor().pass(self.id);
}

}  // namespace snarl::engine
