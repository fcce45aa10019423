// Runs an outline of a schedule, as far as that is possible.
#pragma once

#include "policy/policy.h"

namespace snarl::policy {

// The recording's threads run in its order, each until it has taken as many steps as at its switch (Decision::from and
// Decision::nth; nothing else of a decision counts). A part whose thread can't continue ends there: what is left of it
// comes in a later part of the thread. After the last part threads run without preemption, oldest first.
class OutlineRunner final : public Policy {
 public:
  uint32_t turns(const Run&) const override { return 1; }
  bool begin(const Run& run, Arena&, Plan&) override {
    parts_ = run.follow;
    return false;
  }
  void decide(const View& view, Verdict& verdict) override;

 private:
  std::span<const Decision> parts_;
  size_t at_ = 0;
};

}  // namespace snarl::policy
