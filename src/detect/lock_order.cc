#include "detect/lock_order.h"

#include <algorithm>

namespace snarl::detect {

void LockOrder::created(ThreadId thread) {
  const uint32_t last = threads_[thread].ended;
  threads_[thread] = {.born = ++now_, .last_ended = last};
}

void LockOrder::ended(ThreadId thread) { threads_[thread].ended = ++now_; }

bool LockOrder::holds(ThreadId thread, uint64_t lock) const {
  return std::ranges::find(threads_[thread].held, lock) != std::end(threads_[thread].held);
}

void LockOrder::hold(ThreadId thread, uint64_t lock) {
  Thread& self = threads_[thread];
  auto at = std::ranges::find(self.held, lock);
  if (at == std::end(self.held)) at = std::ranges::find(self.held, uint64_t{0});
  if (at == std::end(self.held)) return;
  *at = lock;
  ++self.times[at - self.held];
}

void LockOrder::given_back(ThreadId thread, uint64_t lock) {
  Thread& self = threads_[thread];
  const auto at = std::ranges::find(self.held, lock);
  if (at == std::end(self.held) || --self.times[at - self.held] != 0) return;
  *at = 0;
}

LockEdge LockOrder::edge(ThreadId thread, uint64_t held, uint64_t taken, uint64_t pc) const {
  const Thread& self = threads_[thread];
  LockEdge result{.held = held, .taken = taken, .pc = pc, .thread = self.born, .slot = static_cast<uint16_t>(thread)};
  int count = 0;
  for (const uint64_t other : self.held)
    if (other != 0 && other != held) result.others[count++] = other;
  return result;
}

uint32_t LockOrder::end_of(const LockEdge& edge) const {
  const Thread& thread = threads_[edge.slot];
  if (thread.born != edge.thread) return thread.last_ended;
  return thread.ended != 0 ? thread.ended : now_ + 1;
}

bool LockOrder::is_inversion(const LockEdge& earlier, const LockEdge& later) const {
  if (earlier.held != later.taken || earlier.taken != later.held || earlier.thread == later.thread) return false;
  if (end_of(earlier) < later.thread) return false;
  return std::ranges::none_of(earlier.others, [&](uint64_t lock) {
    return lock != 0 && std::ranges::find(later.others, lock) != std::end(later.others);
  });
}

}  // namespace snarl::detect
