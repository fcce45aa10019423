// A schedule as a list of who takes each step.
#pragma once

#include <cstdint>
#include <vector>

#include "policy/pick.h"
#include "policy/policy.h"

namespace snarl {

// Names the thread of each step.
class NamedSchedule final : public policy::Policy {
 public:
  explicit NamedSchedule(const std::vector<uint32_t>& schedule) : schedule_(schedule) {}
  bool begin(const Run&, Arena&, policy::Plan&) override { return false; }
  void decide(const policy::View& view, policy::Verdict& verdict) override {
    const bool is_listed = view.step == asked_ && asked_ < schedule_.size();
    verdict.first = is_listed ? policy::enabled_with_ordinal(view, schedule_[asked_]) : kNoThread;
    ++asked_;
    if (verdict.first != kNoThread) return;
    is_followed = false;
    verdict.first = view.enabled.first();
  }
  bool is_followed = true;  // each step was asked for, and the one who is listed could take it

 private:
  const std::vector<uint32_t>& schedule_;
  Step asked_ = 0;
};

}  // namespace snarl
