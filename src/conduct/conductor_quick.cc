// Steps at which there is nothing to decide: most of them, under most policies.
#include "conduct/conductor.h"

namespace snarl {

bool Conductor::hold_stands(ThreadId at) const {
  if (at == kNoThread || !model_.enabled().has(at) || !passed_over_.empty()) return false;
  if (model_.gained().empty()) return true;
  return !verdict_.unless_any && !model_.gained().intersects(verdict_.unless);
}

// Does nothing that happens at a step matter to anybody but the one who takes it?
bool Conductor::is_calm(ThreadId t) const {
  if (watched_ || !passed_over_.empty() || spins_.is_suspicious() || model_.has_signal(t)) return false;
  return outside_ == nullptr || !outside_->any();
}

// Is the next step of `t`, which has the turn, its own, if it is one that changes nothing for others?
bool Conductor::may_go_on(ThreadId t) const {
  if (model_.live_count() < 2) return is_calm(t);
  if (*steps_ >= ask_at_ || !is_calm(t)) return false;
  return model_.gained().empty() || hold_stands(t);
}

Step Conductor::allowance(ThreadId t) const {
  if (!may_go_on(t)) return 0;
  const Step row = t == last_ ? quiet_row_ : 0;
  const Step look = kQuietLook - 1 - row % kQuietLook, unwatched = spinners_.free_steps(t);
  const Step until_look = look < unwatched ? look : unwatched;
  if (model_.live_count() < 2) return until_look;
  return ask_at_ - *steps_ < until_look ? ask_at_ - *steps_ : until_look;
}

// What take() does for every step, and nothing of what it does for some.
inline void Conductor::count(ThreadId t, Step steps, bool alone) {
  last_ = t;
  taken_[t] += steps;
  if (alone) {
    end_hold();
  } else {
    *steps_ += steps;
    if (policy_ == nullptr) plan_.stepped(*steps_, t);
  }
  look_at_clock();
}

void Conductor::passed(ThreadId t, Step steps) {
  if (steps == 0) return;
  quiet_row_ = t == last_ ? quiet_row_ + steps : steps;
  count(t, steps, model_.live_count() < 2);
  spins_.passed(steps);
  spinners_.skipped(t, steps);
}

bool Conductor::pass(ThreadId t) {
  if (!may_go_on(t) || spinners_.free_steps(t) == 0) return false;
  const Step row = t == last_ ? quiet_row_ : 0;
  if (row % kQuietLook == kQuietLook - 1) return false;
  passed(t, 1);
  return true;
}

bool Conductor::go_on_quietly(ThreadId t, const Op& op) {
  if (!pass(t)) return false;
  model_.note_quiet(t, op);
  return true;
}

bool Conductor::go_on(ThreadId t, const Op& op) {
  if (!Model::may_be_at_once(op.kind)) return false;
  if (is_quiet(op.kind)) return go_on_quietly(t, op);
  const bool alone = model_.live_count() < 2;
  if (!may_go_on(t) || spinners_.any() || !model_.perform_at_once(t, op)) return false;
  quiet_row_ = 0;
  count(t, 1, alone);
  if (op.kind == OpKind::kExit) {  // what others know of it, now that it has ended
    last_ordinal_ = model_.ordinals()[t];
    last_taken_ = taken_[t];
  }
  spins_.stepped(t, op.kind, 0);
  spinners_.stepped(t, op, *steps_);
  return true;
}

}  // namespace snarl
