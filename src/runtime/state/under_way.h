// The flags and counters of the run under way that every part of the runtime may ask for: here, so that nobody includes
// the part that sets them. Each says who that is.
//
// Calls come from the thread that has the turn, unless it says otherwise.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "schedule/decision.h"

namespace snarl::runtime {

struct Thread;

struct UnderWay {
  bool on_fibers = false;           // threads are fibers (fiber/fibers.h); otherwise OS threads at gates (gate/gates.h)
  bool in_parallel = false;         // parallel/run.h; ask runs_in_parallel() of thread.h
  bool signals_came = false;        // when no handler could run (simulated/signals.h); written by any thread
  bool threads_written = false;     // what each thread is doing stands in the wire: once per run (run/ending.h)
  Reason switched = Reason::kNone;  // why the thread that ran before this one does not go on (run/step.h)
  ThreadId last = kNoThread;        // who left the conductor last (turn.h)
  ThreadId watcher = kNoThread;     // who looks at the thread that has the turn (watcher.h); read by any thread
  int64_t granted = 0;              // quiet points, to the thread that has the turn (quiet.h)
  uint64_t* arrivals = nullptr;     // at schedule points, in the wire (watcher.h); read by any thread
  const uint32_t* departing = nullptr;  // the kernel zeroes this word when the thread that left is gone (run/step.h)
  void (*look)(Thread&) = nullptr;      // what the watcher does while its gate stays closed (watch/watchdog.h)
};

extern UnderWay under_way;

}  // namespace snarl::runtime
