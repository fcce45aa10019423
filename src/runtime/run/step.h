// What the steps of a thread are made of: into the conductor, hand over, wait for the turn, take the step. Private to
// the engine (point.cc, lifecycle.cc).
//
// Inlined: a point passes through all of it, and after a switch the processor expects the returns of the thread before.
#pragma once

#include "runtime/run/ending.h"
#include "runtime/run/parts.h"
#include "runtime/run/switching.h"
#include "runtime/trace/careful_read.h"

namespace snarl::runtime::engine {

// On gates: sleeps until chosen, and until the thread that left before is gone.
void wait_at_gate(Thread& self);

// Its turn was taken away while it was in the program's code. It says that it is back, and takes a step of its own when
// it is chosen again.
[[gnu::cold]] void come_back(Thread& self);

// Sleeps until chosen. The thread is in the conductor then, with the turn: nobody can take it away between the choice
// and the step.
[[gnu::always_inline]] inline void wait_for_turn(Thread& self) {
  under_way.on_fibers ? fibers::wait(self) : wait_at_gate(self);
  parts::got_turn(self);
}

// Into the conductor, from the program's code.
[[gnu::always_inline]] inline void enter(Thread& self) {
  quiet::stop(self);
  turn::enter(self) ? watcher::note_arrival() : come_back(self);
}

// Stays in the conductor: the chosen thread finds itself there.
inline void let_run(const conduct::Choice& choice) {
  under_way.switched = choice.reason;
  switching::open(thread_at(choice.next));
}

[[gnu::always_inline]] inline void hand_over(Thread& self, const conduct::Choice& choice) {
  if (choice.turn != conduct::Turn::kGo) end_run(self, choice.turn);
  if (choice.next == self.id) return;
  watcher::appoint(self);
  let_run(choice);
  wait_for_turn(self);
}

// The step itself, in the model.
[[gnu::always_inline]] inline int take(Thread& self, const Op& op) {
  const Step before = conductor().step();
  // A thread that sees the same at the same place again and again may be in a spin loop.
  if (is_memory_access(op.kind)) conductor().model().see(self.id, careful::read(op.object, op.value));
  const int result = conductor().take(self.id);
  parts::stepped(self, op, result, before);
  under_way.switched = Reason::kNone;
  return result;
}

void publish_counters();

}  // namespace snarl::runtime::engine
