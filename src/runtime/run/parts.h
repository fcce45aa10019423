// The parts of the runtime that want to know of a run, in one list: they are told here that it begins, that a step was
// taken, that a thread has left, that it ended in a failure. The engine (point, lifecycle, begin, ending) knows no part
// by name but through this list; what it and the parts ask each other for is in state/under_way.h.
//
// All of it is inlined: a point passes through here. Calls come from the thread that has the turn.
#pragma once

#include "runtime/memory/instrumented.h"
#include "runtime/memory/races.h"
#include "runtime/state/quiet.h"
#include "runtime/state/state.h"
#include "runtime/state/turn.h"
#include "runtime/state/watcher.h"
#include "runtime/trace/debugger.h"
#include "runtime/trace/trace.h"
#include "runtime/truth/freed.h"
#include "runtime/truth/mutex_truth.h"

namespace snarl::runtime::parts {

inline bool is_traced() { return __builtin_expect(engine::shared->command.settings.trace, 0); }

// What is done at unusual steps: the step goes into the trace; the detector of races hears of it; it is against the
// rules, as the model sees it.
[[gnu::cold]] void trace_taken(Thread& self, const Op& op, int result, Step before);
[[gnu::cold]] void tell_races(const Thread& self, const Op& op, int result);
[[gnu::cold]] void look_at_misuse(Thread& self, const Op& op, int result, Step before);

// The run begins: main has the turn, and is in the program's code. The conductor and the switching layer have begun.
inline void begin(const Thread& main) {
  decide_who_writes_mutexes(under_way.on_fibers);
  turn::begin();
  quiet::begin();
  watcher::begin(engine::shared->command.settings.patience);
  instrumented::begin(main);
  forget_freed_blocks();
}

// `self` has waited, and has the turn now.
[[gnu::always_inline]] inline void got_turn(const Thread& self) {
  instrumented::running(self);
  watcher::note_arrival();
  debugger::note_turn();
}

// The detector of races hears of what was performed: accesses are told of by the hooks themselves.
[[gnu::always_inline]] inline void performed(const Thread& self, const Op& op, int result) {
  if (__builtin_expect(races::is_on, 0) && !is_quiet(op.kind)) tell_races(self, op, result);
}

// `self` has taken a step, with that result in the model; the step was `before`. The unusual is called, not inlined: it
// would make the usual save registers.
[[gnu::always_inline]] inline void stepped(Thread& self, const Op& op, int result, Step before) {
  if (__builtin_expect(engine::conductor().model().misuse().kind != MisuseKind::kNone, 0))
    look_at_misuse(self, op, result, before);
  else if (is_traced())
    trace_taken(self, op, result, before);
  performed(self, op, result);
  debugger::note_step();
}

// A thread has been made, by the step just taken.
inline void made(const Thread& parent, const Thread& child) {
  if (races::is_on) races::created(parent, child);
  if (!watcher::is_anybody_appointed()) watcher::appoint(child);
  if (is_traced()) trace_created(child);
}

// The thread has taken its last step.
inline void left(const Thread& self) {
  instrumented::ended(self);
  if (races::is_on) races::ended(self);
}

// The run ended in a failure, whose outcome stands in the wire.
inline void ended() { debugger::note_failure(); }

}  // namespace snarl::runtime::parts
