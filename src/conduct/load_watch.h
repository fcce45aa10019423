// Notices that a thread of a parallel run waits for memory to change: it loads what it has loaded before, at the same
// few places, with the same values. Pure bookkeeping.
//
// A loop that checks its bound in an atomic variable does the same without waiting for anything, and each of its loads
// is an ordinary step. So the thread is told to make way late, and rarely.
#pragma once

#include <cstdint>

namespace snarl::conduct {

class LoadWatch {
 public:
  static constexpr uint32_t kFirst = 1024, kRarely = 256;

  // The thread is about to load that value there. True: it is time to make way.
  bool makes_way(uint64_t pc, uint64_t address, uint64_t value) {
    for (uint32_t i = 0; i < kPlaces && i < places_; ++i) {
      Seen& seen = seen_[i];
      if (seen.pc != pc || seen.address != address) continue;
      if (seen.value == value) return is_time(++fruitless_);
      seen.value = value;
      fruitless_ = 0;
      return false;
    }
    seen_[places_++ % kPlaces] = {pc, address, value};
    fruitless_ = 0;
    return false;
  }

  uint32_t fruitless() const { return fruitless_; }  // loads in a row

 private:
  static constexpr uint32_t kPlaces = 16;
  struct Seen {
    uint64_t pc = 0, address = 0, value = 0;
  };

  static bool is_time(uint32_t loads) { return loads >= kFirst && loads % kRarely == 0; }

  Seen seen_[kPlaces];
  uint32_t places_ = 0, fruitless_ = 0;
};

}  // namespace snarl::conduct
