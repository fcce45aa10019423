// What is known of the thread or timer in a slot. Together, so that what concerns one of them lies together in memory.
#pragma once

#include <cstdint>

#include "schedule/operation.h"

namespace snarl {

struct alignas(64) Slot {
  Op pending;            // what it is about to do
  uint64_t taken = 0;    // steps that it has taken
  uint32_t ordinal = 0;  // creation order
  uint64_t name = 0;     // stable across runs; on a line of the cache of its own, as few policies ask for it
};

}  // namespace snarl
