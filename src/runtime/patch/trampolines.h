// Writes the code that a patched instruction jumps to: points, the instructions themselves, and the way back.
#pragma once

#include <cstdint>

#include "runtime/patch/points.h"
#include "wire/patch_table.h"

namespace snarl::runtime::patch {

// Where the instructions of a trampoline come from: a fault in one is a fault there.
struct Moved {
  uint64_t at;    // in the trampoline
  uint64_t from;  // in the program
};

class Trampolines {
 public:
  // A block of `bytes` within reach of the code that uses it. The list of what was moved is for `most_moved`
  // instructions. Without `atomics`, atomic instructions are no points.
  Trampolines(uint8_t* block, uint64_t bytes, Moved* moved, uint32_t most_moved, bool atomics);

  // For the patch, in code that is loaded `bias` above its addresses. 0: no room, or out of reach.
  uint64_t add(const wire::Patch& patch, uint64_t bias);

  // Only the points before the instruction at `from`, or those after it, and an int3, which is followed by 2 * from, or
  // 2 * from + 1 for the latter (stepping.h). If the runtime does what the instruction does, the stub before it counts
  // as one after it. 0: no room, or out of reach.
  uint64_t add_stub(const wire::PatchedInstruction& instruction, const uint8_t* bytes, uint64_t from, bool after);

  uint32_t moved() const { return moved_count_; }

  static constexpr uint32_t kMostPoints = 3;  // of an instruction: its function's, before, after

  // What the patches of a table may need at most.
  static uint64_t bytes_for(const wire::Patch* patches, uint32_t count);

 private:
  struct Slow {
    uint8_t* jump;  // its displacement is open
    uint8_t* back;  // where the program continues
    uint32_t point;
    bool keeps_flags;
  };

  void begin();
  bool site(const wire::PatchedInstruction& one, const uint8_t* bytes, uint64_t from);
  bool move(const wire::PatchedInstruction& instruction, const uint8_t* bytes, uint64_t from);
  void named_point(const wire::PatchedInstruction& instruction, uint64_t from);
  void instruction_point(const wire::PatchedInstruction& instruction, uint64_t from, bool after);
  void point(const Point& point, bool keeps_flags, bool always_asks);
  void finish_slow(const Slow& slow);
  bool displacement(uint8_t* at, uint64_t target);

  template <typename... Bytes>
  void put(Bytes... bytes) {
    const int list[] = {bytes...};
    for (int byte : list) *at_++ = static_cast<uint8_t>(byte);
  }
  void put32(uint32_t value);
  void jump_to(uint64_t target);

  uint8_t* at_;
  uint8_t* end_;
  uint8_t* slow_path_ = nullptr;  // words of the block that the code refers to
  uint8_t* allowance_ = nullptr;
  Moved* moved_;
  uint32_t moved_count_ = 0, most_moved_;
  bool good_ = true;
  bool atomics_;
  Slow slow_[kMostPoints * wire::kMaxPatchInstructions];
  uint32_t slow_count_ = 0;
};

}  // namespace snarl::runtime::patch
