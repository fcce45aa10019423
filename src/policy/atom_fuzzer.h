// Looks for broken atomicity: opens the gap between two critical sections of one lock.
#pragma once

#include "policy/policy.h"

namespace snarl::policy {

// The next thread is uniform at every point, but one that is about to take a lock that it took and
// gave back before is paused, so that another may enter between. It goes on when another has
// taken that lock, or when nobody else can run (after Park and Sen's AtomFuzzer, as PLDI'12,
// section 3.2 has it).
class AtomFuzzer final : public Policy {
 public:
  static constexpr size_t kRoom = 4096;  // pairs of thread and lock; what does not fit in is not paused

  Traits traits(const PolicySpec&) const override { return {.watches = true}; }
  bool begin(const Run& run, Arena& arena, Plan&) override;
  void spawned(const View&, ThreadId child) override { paused_.remove(child); }
  void arrived(const Arrival& arrival) override;
  void stepped(const Arrival& step, bool) override;
  void decide(const View& view, Verdict& verdict) override;

 private:
  uint64_t& entry(uint64_t thread, uint64_t lock);

  Rng rng_;
  ThreadSet paused_;
  std::span<uint64_t> waits_for_;  // by slot of paused_: the lock
  std::span<uint64_t> released_;   // hashes of (thread, lock): given back at least once
  size_t used_ = 0;
};

}  // namespace snarl::policy
