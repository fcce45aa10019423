#include "runtime/state/quiet.h"

#include "base/large.h"
#include "base/state_marks.h"
#include "conduct/quick.h"
#include "runtime/state/state.h"
#include "runtime/state/turn.h"

namespace snarl::runtime {

SNARL_LARGE instrument::Block instrumented::block;

namespace quiet {

SNARL_PROCESS_STATE bool wanted = false;

namespace {

// A thread that can be cancelled anywhere asks at every point. What is in a lock of the program's own asks too, and is
// told that it has no points there (runtime/run/points.cc).
bool must_ask(const Thread& self) { return __builtin_expect(self.cancel_anywhere || self.uninterrupted != 0, 0); }

}  // namespace

void begin() { under_way.granted = engine::allowance = 0; }

// A hook that found nothing left has gone below zero. If a turn was taken away just when its thread came back,
// there may seem to be more left than there was.
void count_used(const Thread& self) {
  const int64_t left = engine::allowance > 0 ? engine::allowance : 0;
  const int64_t used = under_way.granted - left;
  begin();
  if (used > 0) engine::conductor().add_quiet_steps(self.id, static_cast<Step>(used));
}

// Whoever takes the turn away counts as well.
void settle(Thread& self) {
  if (!turn::enter(self)) return;
  count_used(self);
  turn::leave(self);
}

void grant(Thread& self) {
  if (self.inside != 0 || must_ask(self) || !turn::enter(self)) return;
  under_way.granted = engine::allowance = static_cast<int64_t>(engine::conductor().allowance(self.id));
  turn::leave(self);
}

bool step(Thread& self) {
  if (must_ask(self) || !turn::enter(self)) return false;
  const bool may = engine::conductor().quiet_step(self.id);
  turn::leave(self);
  return may;
}

// An allowance is smaller than that of a whole look, so the sum differs from all that came before.
uint64_t progress(uint64_t arrivals) {
  const int64_t left = __atomic_load_n(&engine::allowance, __ATOMIC_RELAXED);
  return (arrivals + 1) * conduct::Conductor::kQuietLook - static_cast<uint64_t>(left);
}

}  // namespace quiet
}  // namespace snarl::runtime
