#include "conduct/quick.h"

namespace snarl::conduct {

Step Conductor::allowance(ThreadId t) const {
  if (!may_go_on(t)) return 0;
  const Step look = kQuietLook - 1 - row_of(t) % kQuietLook, unwatched = spinners_.free_steps(t);
  const Step until_look = look < unwatched ? look : unwatched;
  if (model_.live_count() < 2) return until_look;
  return ask_at_ - *steps_ < until_look ? ask_at_ - *steps_ : until_look;
}

bool Conductor::stands_despite_gained(ThreadId at) const { return hold_stands(at); }

bool Conductor::go_on_quietly(ThreadId t, const Op& op) {
  if (!pass(t)) return false;
  model_.note_quiet(t, op);
  return true;
}

bool Conductor::go_on_traced(ThreadId t, const Op& op) {
  if (!only_traced_) return false;
  asks_always_ = false;
  const bool goes = go_on(t, op);
  asks_always_ = true;
  return goes;
}

bool Conductor::try_to_go_on(ThreadId t, const Op& op) {
  if (is_quiet(op.kind)) return go_on_quietly(t, op);
  return goes_on(t, op.kind, [&] { return model_.perform_at_once(t, op); });
}

}  // namespace snarl::conduct
