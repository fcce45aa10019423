// Locks that threads take in opposite orders: in another schedule each may wait for what the other holds.
//
// An edge is a lock that a thread took while it held another one. Two edges of different threads that lead to and fro
// are an inversion, unless both threads held a third lock (a gate), or one had ended before the other began. Cycles of
// more than two locks are not looked for. Told of what was performed, in that order; allocates nothing: the caller owns
// the memory, which is zeroed. When it is used up, further edges are not kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/hash.h"
#include "base/ids.h"

namespace snarl::detect {

constexpr int kMostHeld = 8;  // by one thread; further ones are not looked at

struct LockEdge {
  uint64_t held = 0, taken = 0;         // held 0: no edge
  uint64_t pc = 0;                      // where it was taken
  uint64_t others[kMostHeld - 1] = {};  // that were held besides; 0: no more
  uint32_t thread = 0;                  // a number that no other thread of the run has
  uint16_t slot = 0;
};

class LockOrder {
 public:
  LockOrder() = default;
  // The number of edges is a power of two; at most three quarters are used.
  explicit LockOrder(std::span<LockEdge> edges) : edges_(edges) {}

  void created(ThreadId thread);
  void ended(ThreadId thread);

  // The thread has the lock now. It would have waited for it: `tell(earlier)` is called for each edge of another thread
  // with which the new one is an inversion.
  template <typename F>
  void taken(ThreadId thread, uint64_t lock, uint64_t pc, F&& tell) {
    for (const uint64_t held : threads_[thread].held)
      if (held != 0 && !holds(thread, lock)) add(edge(thread, held, lock, pc), tell);
    hold(thread, lock);
  }
  // The same, but it would not have waited (a try).
  void hold(ThreadId thread, uint64_t lock);
  void given_back(ThreadId thread, uint64_t lock);

 private:
  struct Thread {
    uint64_t held[kMostHeld] = {};
    uint32_t times[kMostHeld] = {};  // a lock that may be taken again
    uint32_t born = 0;               // when, and its number
    uint32_t ended = 0;              // when; 0: it lives
    uint32_t last_ended = 0;         // when the one that had the slot before ended
  };

  bool holds(ThreadId thread, uint64_t lock) const;
  LockEdge edge(ThreadId thread, uint64_t held, uint64_t taken, uint64_t pc) const;
  static bool is_same(const LockEdge& a, const LockEdge& b) {
    return a.held == b.held && a.taken == b.taken && a.pc == b.pc && a.thread == b.thread;
  }
  uint32_t end_of(const LockEdge& edge) const;
  bool is_inversion(const LockEdge& earlier, const LockEdge& later) const;

  template <typename F>
  void add(const LockEdge& fresh, F&& tell) {
    const size_t mask = edges_.size() - 1;
    size_t at = mix64(fresh.held ^ fresh.taken) & mask;
    for (; edges_[at].held != 0; at = (at + 1) & mask)
      if (is_same(edges_[at], fresh)) return;
    for (size_t i = mix64(fresh.held ^ fresh.taken) & mask; edges_[i].held != 0; i = (i + 1) & mask)
      if (is_inversion(edges_[i], fresh)) tell(static_cast<const LockEdge&>(edges_[i]));
    if (used_ >= edges_.size() / 4 * 3) return;
    ++used_;
    edges_[at] = fresh;
  }

  std::span<LockEdge> edges_;
  size_t used_ = 0;
  uint32_t now_ = 0;  // begins and ends of threads so far
  Thread threads_[kMaxThreads];
};

}  // namespace snarl::detect
