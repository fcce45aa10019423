// The rules of a barrier: the thread that completes a round lets all threads of that round pass.
#pragma once

#include <cstdint>

namespace snarl::model {

struct Barrier {
  uint32_t arrived = 0;
  uint64_t round = 0;

  bool is_idle() const { return arrived == 0; }

  // Returns true if this arrival completes the round.
  bool arrive(uint64_t count) {
    if (++arrived < count) return false;
    arrived = 0;
    ++round;
    return true;
  }
};

}  // namespace snarl::model
