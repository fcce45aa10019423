// What a system call leaves behind, in words (census/effects.h says which calls those are).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "census/effects.h"

namespace snarl::explore {

struct SideEffect {
  std::string kind;  // "writes", "deletes", "connects to", ...
  std::string what;  // a path, an address, a process; may be empty
};

// How the memory of the calling process is read: up to `size` bytes at `address`, fewer if there are no more.
using ReadMemory = std::function<std::string(uint64_t address, size_t size)>;

// The effect of a call that is about to be made by the process `self`. Pure but for `read`.
std::optional<SideEffect> side_effect_of(const census::Call& call, int self, const ReadMemory& read);

}  // namespace snarl::explore
