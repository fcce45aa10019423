// Tries to bring two threads to two accesses at the same moment, or each to the second of two locks.
#pragma once

#include "policy/policy.h"

namespace snarl::policy {

// A thread that arrives at one of the two places waits there for another one at the other place and the same bytes. The
// others run in the order of the recording meanwhile, each as far as it came there: what depends on the one that waits
// is left out. Where nobody else can go on, or for too long, one that waits is let go. The first run is the recording
// itself as far as possible; later ones stray from it, and do not wait each time (race directed testing, PLDI'08).
class Meet final : public Policy {
 public:
  Traits traits(const PolicySpec&) const override { return {.steady = true, .directed = true}; }
  bool begin(const Run& run, Arena& arena, Plan&) override;
  void decide(const View& view, Verdict& verdict) override;

 private:
  // A thread's arrival, and whether it waits there.
  struct Stand {
    uint64_t arrival = 0;
    bool waits = false;
  };

  bool is_site(const Op& op) const;
  bool have_met(const View& view, const ThreadSet& standing) const;
  ThreadSet standing(const View& view);
  ThreadId by_recording(const View& view, const ThreadSet& free);

  Rng rng_;
  std::span<const Decision> recording_;
  size_t at_ = 0;
  uint64_t sites_[2] = {};
  std::span<Stand> stands_;
  uint64_t stray_ = 0;
  uint64_t let_by_ = 0;
  Step patience_ = 0;
  Step waited_ = 0;
  bool met_ = false;
};

}  // namespace snarl::policy
