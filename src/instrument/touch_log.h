// Which places have touched each granule. When a second thread comes, all places of the first are then known to be
// shared, not only those that are reached again. For profiling runs. The caller owns the memory, which is zeroed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/hash.h"

namespace snarl::instrument {

class TouchLog {
 public:
  struct Entry {
    uint64_t granule;
    uint64_t pc;
    uint32_t next;  // index + 1 of the next one with the same head; 0: none
    uint32_t unused;
  };

  TouchLog() = default;
  // heads: a power of two.
  TouchLog(std::span<uint32_t> heads, std::span<Entry> entries) : heads_(heads), entries_(entries) {}

  // What does not fit is forgotten.
  void touch(uint64_t granule, uint64_t pc) {
    uint32_t& head = head_of(granule);
    for (uint32_t i = head; i != 0; i = entries_[i - 1].next)
      if (entries_[i - 1].granule == granule && entries_[i - 1].pc == pc) return;
    if (used_ == entries_.size()) return;
    entries_[used_] = {granule, pc, head, 0};
    head = static_cast<uint32_t>(++used_);
  }

  template <typename F>
  void for_each_place(uint64_t granule, F&& f) {
    for (uint32_t i = head_of(granule); i != 0; i = entries_[i - 1].next)
      if (entries_[i - 1].granule == granule) f(entries_[i - 1].pc);
  }

 private:
  // Granules side by side have heads side by side: a short run touches few pages of them.
  uint32_t& head_of(uint64_t granule) { return heads_[(granule ^ mix64(granule >> 8) << 8) & (heads_.size() - 1)]; }

  std::span<uint32_t> heads_;
  std::span<Entry> entries_;
  size_t used_ = 0;
};

}  // namespace snarl::instrument
