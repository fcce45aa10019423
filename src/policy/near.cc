#include "policy/near.h"

#include "policy/pick.h"

namespace snarl::policy {

void Near::decide(const View& view, Verdict& verdict) {
  if (rng_.next() < stray_) {
    verdict.first = any_of(view.enabled, rng_);
    return;
  }
  while (at_ < recording_.size() && recording_[at_].step < view.step) ++at_;  // missed
  if (at_ < recording_.size() && recording_[at_].step == view.step) {
    verdict.first = enabled_with_ordinal(view, recording_[at_++].to);
    if (verdict.first != kNoThread) return;
  }
  verdict.first = can_stay(view) ? view.last : any_of(view.enabled, rng_);
}

}  // namespace snarl::policy
