#include "policy/outline.h"

#include "policy/pick.h"

namespace snarl::policy {

void OutlineRunner::decide(const View& view, Verdict& verdict) {
  for (; at_ < parts_.size(); ++at_) {
    const Decision& part = parts_[at_];
    const ThreadId thread = enabled_with_ordinal(view, part.from);
    if (thread == kNoThread || view.taken(thread) >= part.nth) continue;
    verdict.first = thread;
    keep_for(verdict, part.nth - view.taken(thread) - 1);
    return;
  }
  verdict.first = can_stay(view) ? view.last : oldest_enabled(view);
}

}  // namespace snarl::policy
