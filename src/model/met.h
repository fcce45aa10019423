// Addresses of synchronisation objects that the run has met: which of them lie in a given block of memory?
//
// Asked at every `free`, so it is a small hash table. A new address may push out an old one, and addresses of earlier
// runs stay. So an object may be missing, and one that is found may no longer exist.
#pragma once

#include <cstdint>

#include "base/storage.h"

namespace snarl::model {

class MetAddresses {
 public:
  static constexpr uint32_t kBits = 9;
  static constexpr uint64_t kGranule = 32;  // no synchronisation object of libc is smaller: at most one begins in each

  void add(uint64_t address) {
    if (__builtin_expect(!is_clear_, 0)) clear();
    slots_[home(address / kGranule)] = address;
    if (address < lowest_) lowest_ = address;
    if (address > highest_) highest_ = address;
  }

  // Calls f(address) for those in [begin, end).
  template <typename F>
  void for_each_in(uint64_t begin, uint64_t end, F&& f) const {
    if (end <= lowest_ || begin > highest_) return;
    if ((end - begin) / kGranule >= kSlots / 2) return search(begin, end, f);
    for (uint64_t granule = begin / kGranule; granule * kGranule < end; ++granule) {
      const uint64_t address = slots_[home(granule)];
      if (address / kGranule == granule && address >= begin && address < end) f(address);
    }
  }

 private:
  static constexpr uint32_t kSlots = 1 << kBits;
  static uint32_t home(uint64_t granule) { return static_cast<uint32_t>(granule * 0x9e3779b97f4a7c15 >> (64 - kBits)); }

  template <typename F>
  void search(uint64_t begin, uint64_t end, F&& f) const {
    for (uint32_t i = 0; i < kSlots; ++i)
      if (slots_[i] >= begin && slots_[i] < end) f(slots_[i]);
  }

  [[gnu::cold, gnu::noinline]] void clear() {
    for (uint32_t i = 0; i < kSlots; ++i) slots_[i] = 0;
    is_clear_ = true;
  }

  bool is_clear_ = false;
  uint64_t lowest_ = ~uint64_t{0}, highest_ = 0;
  Storage<uint64_t, kSlots> slots_;
};

}  // namespace snarl::model
