// Who watches the thread that has the turn, and what it sees of it: points that are reached.
//
// The thread that last gave up the turn watches, at its gate; what it does there is in watch/watchdog.h.
#pragma once

#include "runtime/state/thread.h"
#include "schedule/run_settings.h"

namespace snarl::runtime::watcher {

// The watching of a run begins. The watchdog puts it here when the process gets ready (watch/watchdog.h), because the
// engine, which begins the run, must not know the watchdog.
extern void (*begin)(const Patience& patience);

constexpr uint64_t kLookEvery = 1'000'000;  // nanoseconds: once a millisecond

// The thread that is to look from now on, instead of the last one.
inline void appoint(const Thread& self) { __atomic_store_n(&under_way.watcher, self.id, __ATOMIC_RELAXED); }
inline bool is_appointed(const Thread& self) {
  return __atomic_load_n(&under_way.watcher, __ATOMIC_RELAXED) == self.id;
}

// Nobody is at a gate, so nobody can look. The next thread that is made will.
inline void dismiss() { __atomic_store_n(&under_way.watcher, kNoThread, __ATOMIC_RELAXED); }
inline bool is_anybody_appointed() { return __atomic_load_n(&under_way.watcher, __ATOMIC_RELAXED) != kNoThread; }

// The thread that has the turn, which alone writes it, reached a schedule point.
// In the wire: on fibers the explorer looks (explore/execute/fiber_watch.h).
inline void note_arrival() { __atomic_store_n(under_way.arrivals, *under_way.arrivals + 1, __ATOMIC_RELAXED); }

}  // namespace snarl::runtime::watcher
