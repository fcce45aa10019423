#include "explain/diagnose/holders.h"

#include <algorithm>

namespace snarl::explain {

void Holders::perform(const Event& e, size_t index) {
  if (e.kind == OpKind::kReacquire) return take(second_of(e), {e.thread, index, false});
  if (e.kind == OpKind::kWait && e.result == 0) return release(second_of(e), e.thread);
  if (e.result != 0) return;
  switch (e.kind) {
    case OpKind::kLock:
    case OpKind::kTryLock:
    case OpKind::kWriteLock:
    case OpKind::kTryWriteLock: return take(e.object, {e.thread, index, false});
    case OpKind::kReadLock:
    case OpKind::kTryReadLock: return take(e.object, {e.thread, index, true});
    case OpKind::kUnlock:
    case OpKind::kRwUnlock: return release(e.object, e.thread);
    default: return;
  }
}

const std::vector<Holders::Hold>& Holders::of(uint64_t object) const {
  static const std::vector<Hold> nobody;
  const auto at = holds_.find(object);
  return at == holds_.end() ? nobody : at->second;
}

bool Holders::is_read(uint64_t object) const {
  return !of(object).empty() && std::ranges::all_of(of(object), &Hold::reading);
}

std::vector<Holders::Hold> Holders::of_thread(uint32_t thread) const {
  std::vector<Hold> result;
  for (const auto& [object, holds] : holds_)
    for (const Hold& hold : holds)
      if (hold.thread == thread) result.push_back(hold);
  std::ranges::sort(result, {}, &Hold::event);
  return result;
}

// The last of its own; a lock of somebody else may be unlocked, too.
void Holders::release(uint64_t object, uint32_t thread) {
  const auto at = holds_.find(object);
  if (at == holds_.end()) return;
  std::vector<Hold>& holds = at->second;
  const auto own = std::find_if(holds.rbegin(), holds.rend(), [&](const Hold& h) { return h.thread == thread; });
  holds.erase(own == holds.rend() ? holds.end() - 1 : own.base() - 1);
  if (holds.empty()) holds_.erase(at);
}

}  // namespace snarl::explain
