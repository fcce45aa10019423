// The blocks of the heap, found by any address inside them. The caller owns the memory, which is zeroed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/hash.h"

namespace snarl::instrument {

struct HeapBlock {
  static constexpr uint32_t kFrames = 8;
  uint64_t address = 0;  // 0: no block
  uint64_t size = 0;
  uint32_t thread = 0;  // ordinal of the thread that allocated it
  uint32_t depth = 0;   // of `frames`: where it was allocated, innermost first
  uint64_t frames[kFrames] = {};
  uint32_t listed = 0;  // in the wire; 1 + index
  uint32_t unused = 0;
};

class HeapTable {
 public:
  // An address further inside a block than this is not found.
  static constexpr uint64_t kFarthest = 1 << 16;
  static constexpr uint64_t kAlignment = 16;  // of the blocks of every usual allocator; others are not found

  HeapTable() = default;
  // A power of two. At most three quarters are used; further blocks are forgotten.
  explicit HeapTable(std::span<HeapBlock> slots) : slots_(slots) {}

  void insert(const HeapBlock& block) {
    if (block.address == 0 || slots_.empty()) return;
    HeapBlock& slot = slots_[slot_of(block.address)];
    if (slot.address == 0 && used_ >= slots_.size() / 4 * 3) return;
    if (slot.address == 0) ++used_;
    slot = block;
    lowest_ = std::min(lowest_, block.address);
    highest_ = std::max(highest_, block.address + block.size);
    largest_ = std::max(largest_, block.size);
  }

  // The blocks after it move up, so that a search may end at the first free slot.
  void remove(uint64_t address) {
    if (address == 0 || slots_.empty()) return;
    size_t hole = slot_of(address);
    if (slots_[hole].address == 0) return;
    --used_;
    for (size_t at = next(hole); slots_[at].address != 0; at = next(at)) {
      const size_t home = home_of(slots_[at].address);
      if (((at - home) & mask()) < ((at - hole) & mask())) continue;  // it would come before its home
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = HeapBlock();
  }

  // The block that holds the address; null: no known block. Most addresses in no block (of globals, on stacks) lie
  // outside of the range of all blocks so far. Without that check, thousands of probes for each would be most of the
  // cost of tracing.
  HeapBlock* find(uint64_t address) {
    if (address < lowest_ || address >= highest_) return nullptr;
    const uint64_t last = address & ~(kAlignment - 1);
    const uint64_t farthest = std::min({kFarthest, largest_, last});
    for (uint64_t back = 0; back <= farthest; back += kAlignment) {
      HeapBlock& block = slots_[slot_of(last - back)];
      if (block.address == 0) continue;
      return address - block.address < block.size ? &block : nullptr;
    }
    return nullptr;
  }

  size_t size() const { return used_; }

 private:
  size_t mask() const { return slots_.size() - 1; }
  size_t home_of(uint64_t address) const { return mix64(address) & mask(); }
  size_t next(size_t at) const { return (at + 1) & mask(); }
  size_t slot_of(uint64_t address) const {
    size_t at = home_of(address);
    while (slots_[at].address != 0 && slots_[at].address != address) at = next(at);
    return at;
  }

  std::span<HeapBlock> slots_;
  size_t used_ = 0;
  uint64_t lowest_ = UINT64_MAX, highest_ = 0, largest_ = 0;  // of all blocks that ever were
};

}  // namespace snarl::instrument
