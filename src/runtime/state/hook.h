// What every hook shares.
#pragma once

#include <cstdint>

#include "runtime/platform/real.h"
#include "runtime/state/state.h"
#include "runtime/state/thread.h"

// An exported function that stands in front of libc's of the same name.
#define SNARL_HOOK extern "C" __attribute__((visibility("default"), noinline))

// The place of the program's call: usable in the hook itself only.
#define SNARL_PC reinterpret_cast<uint64_t>(__builtin_return_address(0))

namespace snarl::runtime {

inline uint64_t address_of(const void* object) { return reinterpret_cast<uint64_t>(object); }

}  // namespace snarl::runtime
