// The arguments of the futex system call.
#pragma once

#include <linux/futex.h>
#include <time.h>

#include <cstdint>

namespace snarl::runtime {

constexpr uint32_t kAllFutexBits = FUTEX_BITSET_MATCH_ANY;

struct FutexCall {
  explicit FutexCall(const long (&a)[6])
      : word(reinterpret_cast<uint32_t*>(a[0])),
        operation(static_cast<int>(a[1])),
        value(static_cast<uint32_t>(a[2])),
        timeout(reinterpret_cast<const timespec*>(a[3])),
        value2(static_cast<uint32_t>(a[3])),
        word2(reinterpret_cast<uint32_t*>(a[4])),
        value3(static_cast<uint32_t>(a[5])) {}

  uint32_t* word;
  int operation;
  uint32_t value;
  const timespec* timeout;  // or value2, by operation
  uint32_t value2;
  uint32_t* word2;
  uint32_t value3;

  int command() const { return operation & FUTEX_CMD_MASK; }
  // Of a wait with a point in time.
  clockid_t clock() const { return (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC; }
};

}  // namespace snarl::runtime
