// "name+0x1f": a name and a distance from it.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>

namespace snarl::symbolize {

inline std::string hex(uint64_t value) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
  return "0x" + std::string(digits, end);
}

// A distance of 0 is not shown.
inline std::string with_offset(std::string name, uint64_t distance) {
  if (distance != 0) name += "+" + hex(distance);
  return name;
}

}  // namespace snarl::symbolize
