// Replay: takes exactly the switches of a recording.
#pragma once

#include "policy/policy.h"

namespace snarl::policy {

// At the step of each recorded switch the same thread must be at the same operation
// (kind, and place where the recording knows it) and the recorded one must be enabled;
// between switches the running thread must be able to go on. Anything else is a
// divergence, reported at the first step that differs; but a recorded step that waits for something
// outside the program may be waited for, as it comes when it likes. After the last recorded switch
// threads run without preemption, oldest first.
class Follow final : public Policy {
 public:
  uint32_t turns(const Run&) const override { return 1; }
  bool begin(const Run& run, Arena&, Plan&) override {
    recording_ = run.follow;
    return false;
  }
  void decide(const View& view, Verdict& verdict) override;

 private:
  static bool fits(const Decision& decision, const View& view);
  void diverge(const View& view, Verdict& verdict) const;
  void finish(const View& view, Verdict& verdict) const;
  Step steps_to_next(const View& view) const;

  std::span<const Decision> recording_;
  size_t at_ = 0;
};

}  // namespace snarl::policy
