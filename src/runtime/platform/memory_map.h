// What the kernel says is mapped (/proc/self/maps), without memory of libc's.
#pragma once

#include <cstdint>

namespace snarl::runtime::memory_map {

struct Area {
  uint64_t begin = 0, end = 0;
  bool reads = false, writes = false, executes = false;
  bool is_private = false;
  bool is_of_file = false;    // what is there comes from a file, until it is written
  bool is_zero_file = false;  // if it is not private: shared memory without a file of its own
};

// Calls `f` for each area, by address. False if the kernel does not tell.
bool for_each(void (*f)(const Area&, void* data), void* data);

}  // namespace snarl::runtime::memory_map
