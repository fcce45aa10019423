// Stacks by id, each stored once: an id stands for a list of return addresses, innermost first.
//
// The entries and frames are plain data that outlives the process (the wire); the index finds equal stacks and is the
// writer's own. One writer at a time; no allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/hash.h"

namespace snarl {

// The part of the frames that a stack is.
struct StackEntry {
  uint32_t first = 0;
  uint32_t depth = 0;
};

// Empty for id 0, and for what is not there.
inline std::span<const uint64_t> stack_frames(uint32_t id, std::span<const StackEntry> entries,
                                              std::span<const uint64_t> frames) {
  if (id == 0 || id > entries.size()) return {};
  const StackEntry& entry = entries[id - 1];
  if (entry.first > frames.size() || entry.depth > frames.size() - entry.first) return {};
  return frames.subspan(entry.first, entry.depth);
}

class StackTable {
 public:
  // `index`: a power of two, zero, at least twice as many as there are entries. `used` and `frames_used` begin at 0.
  StackTable(std::span<StackEntry> entries, std::span<uint64_t> frames, std::span<uint32_t> index, uint32_t& used,
             uint32_t& frames_used)
      : entries_(entries), frames_(frames), index_(index), used_(used), frames_used_(frames_used) {}

  // The id of that stack; 0: it is empty, or there is no room for it.
  uint32_t id_of(std::span<const uint64_t> stack) {
    if (stack.empty()) return 0;
    uint64_t hash = 0;
    for (const uint64_t frame : stack) hash = combine(hash, frame);
    size_t at = hash & mask();
    for (; index_[at] != 0; at = (at + 1) & mask())
      if (is_equal(stack_frames(index_[at], {entries_.data(), used_}, frames_), stack)) return index_[at];
    return index_[at] = add(stack);
  }

 private:
  // Not std::equal, which is a call of memcmp: inside the tested process that is the program's.
  static bool is_equal(std::span<const uint64_t> a, std::span<const uint64_t> b) {
    size_t i = 0;
    while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
    return i == a.size() && i == b.size();
  }

  size_t mask() const { return index_.size() - 1; }

  uint32_t add(std::span<const uint64_t> stack) {
    if (used_ >= entries_.size() || stack.size() > frames_.size() - frames_used_) return 0;
    entries_[used_] = {frames_used_, static_cast<uint32_t>(stack.size())};
    for (const uint64_t frame : stack) frames_[frames_used_++] = frame;
    return ++used_;
  }

  std::span<StackEntry> entries_;
  std::span<uint64_t> frames_;
  std::span<uint32_t> index_;
  uint32_t &used_, &frames_used_;
};

}  // namespace snarl
