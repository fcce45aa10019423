// Which half of the wrong programs a program is in. Policies are tuned with the one half; the other only reports. Both
// halves were fixed before a policy was tuned with them.
#pragma once

#include <cstdint>
#include <string_view>

namespace snarl::bench {

enum class Half { kTuning, kReporting };

// The parity of the name's FNV-1a hash (64 bits), which any script can repeat. The name counts without its size, so
// that all sizes of a shape are in one half.
constexpr Half half_of(std::string_view program) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : program.substr(0, program.rfind('_')))
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash % 2 == 0 ? Half::kTuning : Half::kReporting;
}

}  // namespace snarl::bench
