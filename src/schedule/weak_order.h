// A load that read what a store of another thread wrote, by memory orders too weak to order the two threads (C++20,
// [intro.races]). Lives in the wire: plain data, fixed layout.
#pragma once

#include <cstdint>

#include "schedule/memory_order.h"

namespace snarl {

struct WeakOrder {
  uint8_t is_one = 0;  // 1: the accesses of a race are ordered so, and not otherwise
  MemoryOrder load = MemoryOrder::kNone, store = MemoryOrder::kNone;
  uint8_t unused[5] = {};
  uint64_t address = 0;  // of the atomic variable; 0: which it is, is not known
  uint64_t load_pc = 0, store_pc = 0;
};
static_assert(sizeof(WeakOrder) == 32);

}  // namespace snarl
