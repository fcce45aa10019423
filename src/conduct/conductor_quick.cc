#include "conduct/quick.h"

namespace snarl::conduct {

Step Conductor::allowance(ThreadId t) const {
  if (ordered_ || !may_step_at_once(t)) return 0;
  const Step look = kQuietLook - 1 - row_of(t) % kQuietLook, unwatched = spinners_.free_steps(t);
  const Step until_look = look < unwatched ? look : unwatched;
  if (model_.live_count() < 2) return until_look;
  return consult_at_ - *steps_ < until_look ? consult_at_ - *steps_ : until_look;
}

bool Conductor::stands_despite_gained(ThreadId at) const { return hold_stands(at); }

bool Conductor::step_quietly(ThreadId t, const Op& op) {
  if (!quiet_step(t)) return false;
  model_.note_quiet(t, op);
  if (ordered_) ordered_ = order_.stepped_unseen(t, op);
  return true;
}

void Conductor::tell_order_at_once(ThreadId t, const Op& did) { order_.stepped(t, did, 0); }

void Conductor::tell_order_of_mutex(ThreadId t, OpKind what, uint64_t mutex) { order_.stepped_mutex(t, what, mutex); }

bool Conductor::step_traced(ThreadId t, const Op& op) {
  if (!only_traced_) return false;
  consults_always_ = false;
  const bool goes = step_at_once(t, op);
  consults_always_ = true;
  return goes;
}

bool Conductor::try_step_at_once(ThreadId t, const Op& op) {
  if (is_quiet(op.kind)) return step_quietly(t, op);
  if (!step_if_performed(t, op.kind, [&] { return model_.perform_at_once(t, op); })) return false;
  if (ordered_) tell_order_at_once(t, op);
  return true;
}

}  // namespace snarl::conduct
