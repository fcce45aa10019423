// What one instruction does with memory. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace snarl::scan {

enum class Where : uint8_t {
  kNowhere,  // it accesses none
  kStack,    // by the stack pointer, or the thread's own block
  kFrame,    // by rbp, which may be the frame's or any other address
  kFixed,    // at a known address
  kAnywhere,
};

struct MemoryUse {
  uint8_t length = 0;
  Where where = Where::kNowhere;
  bool writes = false;
  bool locked = false;      // an atomic instruction
  bool sets_frame = false;  // rbp becomes the stack pointer
  uint64_t address = 0;     // kFixed
  uint64_t target = 0;      // of a direct jump or call
};

// The instruction at the start of `bytes`; nothing if they are not one.
std::optional<MemoryUse> memory_use(uint64_t address, std::string_view bytes);

}  // namespace snarl::scan
