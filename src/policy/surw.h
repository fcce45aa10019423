// Selectively uniform random walk: uniform over the orders of accesses to one object.
#pragma once

#include "policy/policy.h"
#include "policy/shares.h"

namespace snarl::policy {

// Per run one object is picked, with a probability proportional to its accesses; D are the accesses
// to it. An intended thread is drawn by remaining D-counts. Whoever else is about to take an event of
// D is held; all others run by random priorities of events. When the intended thread has taken
// its event of D, it is drawn again. When it spawns, it is drawn again between it and the child
// only. When all enabled threads are held, one of them is drawn by weight (ASPLOS'25).
class Surw final : public Policy {
 public:
  Traits traits(const PolicySpec&) const override { return {.counts = true, .objects = true, .watches = true}; }
  bool begin(const Run& run, Arena& arena, Plan&) override;
  void spawned(const View& view, ThreadId child) override;
  void arrived(const Arrival& arrival) override;
  void stepped(const Arrival& step, bool event) override;
  void decide(const View& view, Verdict& verdict) override;

  // The name of one object, by its accesses; 0 if there are none.
  static uint64_t pick_object(const Counts& counts, Rng& rng);

 private:
  uint64_t weight(ThreadId t) const { return left_.own(t) + left_.unspawned(t); }
  ThreadId draw(const ThreadSet& among, uint64_t least);
  ThreadId best_unheld(const View& view) const;

  Rng rng_;
  uint64_t object_ = 0;  // its name
  Shares left_;          // of D
  ThreadId intended_ = kNoThread;
  bool redraw_ = true;            // the intended thread is to be drawn among all
  ThreadSet at_object_;           // whose pending event is of D
  std::span<uint64_t> priority_;  // by slot: of the pending event
};

}  // namespace snarl::policy
