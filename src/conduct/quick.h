// Steps that need no decision: most of them, under most policies. Inlined into the hooks of the most frequent
// operations (runtime/run/quick_point.h).
#pragma once

#include "conduct/conductor.h"
#include "model/at_once.h"

namespace snarl::conduct {

// Is nothing going on that makes a step matter to any other thread?
[[gnu::always_inline]] inline bool Conductor::is_calm(ThreadId t) const {
  if (__builtin_expect(consults_always_, 0) || __builtin_expect(!passed_over_.empty(), 0)) return false;
  if (__builtin_expect(spins_.is_suspicious(), 0) || __builtin_expect(*any_outside_, 0)) return false;
  return __builtin_expect(!model_.has_signal(t), 1);
}

// Does the last answer still hold, if it was for longer than one step?
[[gnu::always_inline]] inline bool Conductor::hold_stands(ThreadId at) const {
  if (at == kNoThread || !model_.enabled().has(at) || !passed_over_.empty()) return false;
  if (model_.gained().empty()) return true;
  return __builtin_expect(!verdict_.unless_any, 0) && !model_.gained().intersects(verdict_.unless);
}

// Does `t`, which has the turn, also take the next step, if that changes nothing for other threads?
[[gnu::always_inline]] inline bool Conductor::may_step_at_once(ThreadId t) const {
  if (__builtin_expect(!is_calm(t), 0)) return false;
  if (model_.live_count() < 2) return true;
  return __builtin_expect(*steps_ < consult_at_, 1) &&
         (__builtin_expect(model_.gained().empty(), 1) || stands_despite_gained(t));
}

// What take() does for every step, without what it does for some.
[[gnu::always_inline]] inline void Conductor::count(ThreadId t, Step steps, bool alone) {
  last_ = t;
  model_.taken(t) += steps;
  if (__builtin_expect(alone, 0)) {
    end_hold();
  } else {
    *steps_ += steps;
    plan_.stepped(*steps_, t);
  }
  if (__builtin_expect(ordered_, 0)) tell_clock_read(t);
  look_at_clock();
}

inline void Conductor::add_quiet_steps(ThreadId t, Step steps) {
  if (steps == 0) return;
  quiet_row_ = row_of(t) + steps;
  count(t, steps, model_.live_count() < 2);
  spins_.add_quiet_steps(steps);
  spinners_.skipped(t, steps);
}

inline bool Conductor::quiet_step(ThreadId t) {
  if (!may_step_at_once(t) || __builtin_expect(spinners_.free_steps(t) == 0, 0)) return false;
  if (__builtin_expect(row_of(t) % kQuietLook == kQuietLook - 1, 0)) return false;
  add_quiet_steps(t, 1);
  return true;
}

// `perform`: performs it in the model, if that can be done at once.
template <typename Perform>
[[gnu::always_inline]] inline bool Conductor::step_if_performed(ThreadId t, OpKind kind, const Perform& perform) {
  const bool alone = model_.live_count() < 2;
  if (!may_step_at_once(t) || __builtin_expect(spinners_.any(), 0) || !perform()) return false;
  quiet_row_ = 0;
  count(t, 1, alone);
  if (kind == OpKind::kExit) {  // what others know of it, now that it has ended
    last_ordinal_ = model_.ordinal(t);
    last_taken_ = model_.taken(t);
  }
  spins_.stepped(t, kind, 0);
  spinners_.nobody_spins_at(t);
  return true;
}

[[gnu::always_inline]] inline bool Conductor::step_mutex_at_once(OpKind what, ThreadId t, uint64_t mutex, uint64_t pc) {
  if (!step_if_performed(
          t, what, [&]() __attribute__((always_inline)) { return model_.ordinary_at_once(what, t, mutex, pc); }))
    return false;
  if (__builtin_expect(ordered_, 0)) tell_order_of_mutex(t, what, mutex);
  return true;
}

}  // namespace snarl::conduct
