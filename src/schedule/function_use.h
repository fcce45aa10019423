// What a function that the user names is to the schedule. Part of tables of patches: append only.
#pragma once

#include <cstdint>

namespace snarl {

enum class FunctionUse : uint8_t {
  kNone = 0,
  kPoint,  // its entry is a schedule point
  kLock,   // locks of the program's own: these block exactly
  kTryLock,
  kUnlock,
  kReadLock,
  kTryReadLock,
  kCount,
};

constexpr bool is_lock(FunctionUse use) { return use > FunctionUse::kPoint; }
constexpr bool is_try(FunctionUse use) { return use == FunctionUse::kTryLock || use == FunctionUse::kTryReadLock; }

}  // namespace snarl
