// The trampolines of patched files, and where their instructions come from.
#pragma once

#include <cstdint>

#include "runtime/patch/trampolines.h"
#include "wire/layout.h"

namespace snarl::runtime::patch {

// Room for the trampolines of one file, within reach of it. Never unmapped: a file that is unloaded may leave a thread
// in them.
class Room {
 public:
  Room(const wire::Module& module, const wire::Patch* patches, uint32_t count);
  bool good() const { return moved_ != nullptr && block_ != nullptr; }

  Trampolines trampolines(bool atomics) const { return {block_, bytes_, moved_, most_moved_, atomics}; }

  // When all is written.
  void close(uint32_t moved) const;

 private:
  uint32_t most_moved_;
  uint64_t bytes_;
  Moved* moved_ = nullptr;
  uint8_t* block_ = nullptr;
};

// The instruction of the program that the one at `pc` in a trampoline stands for; `pc` itself if it is in none.
uint64_t original(uint64_t pc);

}  // namespace snarl::runtime::patch
