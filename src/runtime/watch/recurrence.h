// Whether a thread that computes without a schedule point will do so for ever: it was stopped twice with the same
// values in its registers, and in all of memory. From one state follows the other, and nothing but another thread, a
// signal or somebody outside could change that.
#pragma once

#include <cstdint>

namespace snarl::runtime {

class Recurrence {
 public:
  // It was stopped. `memory` is asked, which takes a while, only if the registers are those of the state that we wait
  // for: a loop that counts never has them twice. 0 stands for "can't be told".
  template <typename Memory>
  void note(uint64_t registers, Memory&& memory) {
    if (registers != registers_) return wait_for_another(registers);
    const uint64_t now = memory();
    recurs_ = now != 0 && now == memory_;
    memory_ = now;
  }

  bool recurs() const { return recurs_; }

 private:
  // A loop has several states, and before it others came that don't come again: the one that we wait for is replaced
  // ever less often (Brent, An improved Monte Carlo factorization algorithm, 1980).
  void wait_for_another(uint64_t registers) {
    if (++age_ < lifetime_) return;
    registers_ = registers;
    memory_ = 0;
    age_ = 0;
    lifetime_ *= 2;
    recurs_ = false;
  }

  uint64_t registers_ = 0;  // of the state that we wait for
  uint64_t memory_ = 0;     // when it was there last; 0: it has not come again
  uint32_t age_ = 0, lifetime_ = 1;
  bool recurs_ = false;
};

}  // namespace snarl::runtime
