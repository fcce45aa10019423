#include "policy/near.h"

namespace snarl {
namespace {

ThreadId enabled_with_ordinal(const View& view, uint32_t ordinal) {
  ThreadId found = kNoThread;
  view.enabled.for_each([&](ThreadId t) {
    if (view.ordinal(t) == ordinal) found = t;
  });
  return found;
}

}  // namespace

ThreadId Near::anyone(const View& view) {
  return view.enabled.nth(static_cast<int>(rng_.below(static_cast<uint64_t>(view.enabled.size()))));
}

void Near::decide(const View& view, Verdict& verdict) {
  const bool can_stay = view.last != kNoThread && view.enabled.has(view.last);
  if (rng_.next() < stray_) {
    verdict.first = anyone(view);
    return;
  }
  while (at_ < recording_.size() && recording_[at_].step < view.step) ++at_;  // missed
  if (at_ < recording_.size() && recording_[at_].step == view.step) {
    verdict.first = enabled_with_ordinal(view, recording_[at_++].to);
    if (verdict.first != kNoThread) return;
  }
  verdict.first = can_stay ? view.last : anyone(view);
}

}  // namespace snarl
