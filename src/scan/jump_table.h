// A table of offsets that a switch jumps by. Pure.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "scan/code_image.h"

namespace snarl::scan {

// Entry i is at `address` + 4 i and means `base` plus its signed value.
struct JumpTable {
  static constexpr uint64_t kMostEntries = 4096;  // compilers translate larger switches in other ways

  uint64_t address = 0;
  uint64_t base = 0;
  uint64_t entries = 0;  // 0: not known

  // Where the entry leads; nothing if there is no such entry, or if it does not lead to code.
  std::optional<uint64_t> target(const CodeImage& image, uint64_t entry) const {
    int32_t offset;
    const std::string_view bytes = image.at(address + sizeof offset * entry);
    if (bytes.size() < sizeof offset) return std::nullopt;
    std::memcpy(&offset, bytes.data(), sizeof offset);
    const uint64_t target = base + static_cast<uint64_t>(int64_t{offset});
    return image.is_code(target) ? std::optional(target) : std::nullopt;
  }
};

}  // namespace snarl::scan
