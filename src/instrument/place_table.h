// The set of places (return addresses) that are known to be points. Most hooks need only Block::front. The caller owns
// the memory, which is zeroed; its size is a power of two, and at most half of it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "instrument/block.h"

namespace snarl::instrument {

class PlaceTable {
 public:
  PlaceTable() = default;
  explicit PlaceTable(std::span<uint64_t> slots) : slots_(slots) {}

  const uint64_t* data() const { return slots_.data(); }
  uint64_t mask() const { return slots_.size() - 1; }
  size_t size() const { return used_; }

  bool has(uint64_t pc) const { return !slots_.empty() && slots_[slot_of(pc)] == pc; }

  // False if the place is in the table already, or if there is no room.
  bool insert(uint64_t pc) {
    if (used_ >= slots_.size() / 2) return false;
    uint64_t& slot = slots_[slot_of(pc)];
    if (slot == pc) return false;
    slot = pc;
    ++used_;
    return true;
  }

  // The number of slots for this many places: few enough are taken that two places rarely collide.
  static size_t slots_for(size_t places) {
    size_t slots = 1024;
    while (slots < places * 4) slots *= 2;
    return slots;
  }

 private:
  // The slot where it is, or would be. There is always a free slot, so the search ends.
  size_t slot_of(uint64_t pc) const {
    size_t at = (pc ^ pc >> 17) & mask();  // the higher bits keep two modules apart
    while (slots_[at] != 0 && slots_[at] != pc) at = (at + 1) & mask();
    return at;
  }

  std::span<uint64_t> slots_;
  size_t used_ = 0;
};

// Hooks look at `front` first. A place there is in the table; if a slot of `front` is empty, the table has no place for
// it.
inline bool insert(PlaceTable& table, uint64_t* front, uint64_t pc) {
  if (!table.insert(pc)) return false;
  uint64_t& slot = front[front_slot(pc)];
  if (slot == 0) slot = pc;
  return true;
}

}  // namespace snarl::instrument
