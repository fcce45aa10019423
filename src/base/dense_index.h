// A hash index over entries that lie densely in an array of the owner.
//
// The index is small: 2 bytes for each slot. So it is cheap to clear, and after a fork few pages of it are copied. The
// entries are written one after the other, so a run touches as many of their pages as it needs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace snarl {

// A cheap hash for addresses: the high bits of a product, which all lower ones have a part in.
constexpr uint64_t spread(uint64_t address) { return address * 0x9e3779b97f4a7c15 >> 40; }

template <size_t kSlots>
class DenseIndex {
  static_assert((kSlots & (kSlots - 1)) == 0 && kSlots <= 1 << 16);

 public:
  static constexpr size_t kMostEntries = kSlots / 2;  // half full, so that a search is short

  void clear() {
    for (uint16_t& slot : slots_) slot = 0;
  }

  // The number of the entry with that hash for which is_it(number) holds; `next` if there is none, which is then added.
  // The caller makes sure that next < kMostEntries, or asks has() first.
  template <typename IsIt>
  size_t find_or_add(uint64_t hash, size_t next, IsIt&& is_it) {
    uint16_t& slot = search(hash, is_it);
    if (slot == 0) slot = static_cast<uint16_t>(next + 1);
    return slot - size_t{1};
  }

  // The same without adding; kNone if there is none.
  static constexpr size_t kNone = ~size_t{0};
  template <typename IsIt>
  size_t find(uint64_t hash, IsIt&& is_it) {
    return search(hash, is_it) - size_t{1};
  }

 private:
  template <typename IsIt>
  uint16_t& search(uint64_t hash, IsIt&& is_it) {
    size_t at = hash % kSlots;
    while (slots_[at] != 0 && !is_it(slots_[at] - size_t{1})) at = (at + 1) % kSlots;
    return slots_[at];
  }

  uint16_t slots_[kSlots];  // 1 + the number of an entry; 0: empty
};

}  // namespace snarl
