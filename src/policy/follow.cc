#include "policy/follow.h"

#include "policy/pick.h"

namespace snarl::policy {
namespace {

ThreadId awaiting_outside(const View& view, uint32_t ordinal) {
  ThreadId found = kNoThread;
  view.live.for_each([&](ThreadId t) {
    if (view.ordinal(t) == ordinal && view.next(t).kind == OpKind::kIo) found = t;
  });
  return found;
}

}  // namespace

bool Follow::fits(const Decision& decision, const View& view) {
  return decision.step == view.step && decision.from == view.last_ordinal && decision.kind == view.at().kind &&
         (decision.pc == 0 || view.at().pc == 0 || decision.pc == view.at().pc);
}

// Whose step the recording has next: it says that the running thread goes on, or names another.
void Follow::diverge(const View& view, Verdict& verdict) const {
  const Decision& next = recording_[at_];
  verdict.diverged = true;
  verdict.expected = next;
  const bool stays = view.step < next.step;
  const uint32_t wanted = stays ? view.last_ordinal : next.to;
  if (!stays && !fits(next, view)) return;
  verdict.awaits = awaiting_outside(view, wanted & ~kTimerBit);
  verdict.hides = (wanted & kTimerBit) != 0;
}

// Asked early means that a thread was enabled, which changes nothing, or that the running
// one can't go on, which the recording does not know of.
void Follow::decide(const View& view, Verdict& verdict) {
  if (at_ == recording_.size()) return finish(view, verdict);
  if (view.step < recording_[at_].step && can_stay(view)) {
    verdict.first = view.last;
  } else {
    if (!fits(recording_[at_], view)) return diverge(view, verdict);
    verdict.first = enabled_with_ordinal(view, recording_[at_].to);
    if (verdict.first == kNoThread) return diverge(view, verdict);
    ++at_;
  }
  verdict.hold = steps_to_next(view);
}

Step Follow::steps_to_next(const View& view) const {
  if (at_ == recording_.size()) return ~Step{0};
  const Step next = recording_[at_].step;
  return next > view.step ? next - view.step - 1 : 0;  // a recording that goes back in time is asked, and diverges
}

void Follow::finish(const View& view, Verdict& verdict) const {
  verdict.first = can_stay(view) ? view.last : oldest_enabled(view);
}

}  // namespace snarl::policy
