// Which policy has which schedule: policies take turns in a fixed cycle, in which some come more often than others.
//
// Plain data without pointers: it crosses the wire.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "base/check.h"

namespace snarl {

class Rota {
 public:
  static constexpr size_t kLongest = 32;
  static constexpr size_t kMostPolicies = 32;

  Rota() = default;  // one policy

  // Each of `policies` once in a cycle.
  explicit Rota(size_t policies) {
    SNARL_CHECK(0 < policies && policies <= kMostPolicies);
    uint8_t cycle[kMostPolicies];
    for (size_t i = 0; i < policies; ++i) cycle[i] = static_cast<uint8_t>(i);
    *this = Rota({cycle, policies});
  }

  // The policies of one cycle by their numbers, each of which comes at least once.
  explicit Rota(std::span<const uint8_t> cycle) : length_(static_cast<uint32_t>(cycle.size())) {
    SNARL_CHECK(0 < cycle.size() && cycle.size() <= kLongest);
    share_[0] = 0;
    for (size_t i = 0; i < cycle.size(); ++i) {
      SNARL_CHECK(cycle[i] < kMostPolicies);
      policy_[i] = cycle[i];
      before_[i] = share_[cycle[i]]++;
    }
  }

  uint32_t length() const { return length_; }
  size_t policy_at(uint64_t index) const { return policy_[index % length_]; }
  // How many turns the policy of that index had before.
  uint64_t turn_at(uint64_t index) const {
    return index / length_ * share_[policy_at(index)] + before_[index % length_];
  }
  // How many turns a policy has at smaller indices.
  uint64_t turns_before(uint64_t index, size_t policy) const {
    uint64_t turns = index / length_ * share_[policy];
    for (uint64_t i = 0; i < index % length_; ++i) turns += policy_[i] == policy ? 1 : 0;
    return turns;
  }
  // Turns of the policy in a cycle.
  uint32_t share_of(size_t policy) const { return share_[policy]; }

 private:
  uint32_t length_ = 1;
  uint8_t policy_[kLongest] = {};
  uint8_t before_[kLongest] = {};  // turns that its policy had earlier in the cycle
  uint8_t share_[kMostPolicies] = {1};
};
static_assert(std::is_trivially_copyable_v<Rota>);

}  // namespace snarl
