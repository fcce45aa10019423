// A policy that comes from a shared library (include/snarl/policy.h).
#pragma once

#include <snarl/policy.h>

#include "policy/policy.h"

namespace snarl::policy {

constexpr uint32_t kMaxPluginState = 1 << 16;

// Hands the conductor's questions to the library's functions. An answer that is not an enabled thread is
// the library's bug; the first enabled one runs instead, so that the program is not blamed.
class Plugin final : public Policy {
 public:
  uint32_t turns(const Run& run) const override;
  bool begin(const Run& run, Arena& arena, Plan&) override;
  void decide(const View& view, Verdict& verdict) override;

 private:
  static uint64_t random(const snarl_run* run, uint64_t bound);
  // The run as the library sees it. `rng` draws for it.
  static snarl_run shown(const Run& run, Rng& rng);
  void list(const View& view, ThreadId t);

  const snarl_policy* library_ = nullptr;
  snarl_run run_ = {};
  Rng rng_;
  void* state_ = nullptr;
  std::span<snarl_thread> threads_;
  uint32_t count_ = 0;
};

}  // namespace snarl::policy
