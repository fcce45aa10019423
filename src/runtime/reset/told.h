// What the explorer was told of by runs of this process, so that no other run tells it again: part of reset rewind
// (rewind.h). Lies in memory that is not put back.
#pragma once

#include <cstdint>

#include "runtime/platform/raw.h"

namespace snarl::runtime {

// By hashes: two things of one hash are taken for one, which one in 2^50 campaigns has. kSlots: a power of two.
template <uint32_t kSlots>
class Told {
 public:
  // It is told now.
  bool is_new(uint64_t hash) {
    hash |= 1;
    for (uint64_t slot = hash >> 1;; ++slot) {
      uint64_t& told = told_[slot % kSlots];
      if (told == hash) return false;
      if (told != 0) continue;
      if (left_ == 0) return true;  // too many: told again
      --left_;
      told = hash;
      return true;
    }
  }

  void forget() {
    raw::fill(told_, 0, sizeof told_);
    left_ = kSlots / 2;
  }

 private:
  uint32_t left_ = kSlots / 2;
  uint64_t told_[kSlots] = {};  // 0: none
};

}  // namespace snarl::runtime
