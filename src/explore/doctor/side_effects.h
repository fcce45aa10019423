// Which system calls leave something behind that outlives the process: with every schedule again.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace snarl::explore {

struct SystemCall {
  uint64_t number = 0;
  std::array<uint64_t, 6> arguments{};
};

struct SideEffect {
  std::string kind;  // "writes", "deletes", "connects to", ...
  std::string what;  // a path, an address, a process; may be empty
};

// How the memory of the calling process is read: up to `size` bytes at `address`, fewer if there are no more.
using ReadMemory = std::function<std::string(uint64_t address, size_t size)>;

// The effect of a call that is about to be made by the process `self`. Pure but for `read`.
std::optional<SideEffect> side_effect_of(const SystemCall& call, int self, const ReadMemory& read);

}  // namespace snarl::explore
