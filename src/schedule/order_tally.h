// How often the runs of one policy came to the same partial order, of runs that were drawn alike. Plain data.
#pragma once

#include <cstdint>

namespace snarl {

struct OrderTally {
  uint64_t runs = 0;
  uint64_t distinct = 0;  // partial orders among them ...
  uint64_t once = 0;      // ... of which so many were seen in one run only ...
  uint64_t twice = 0;     // ... and in two

  // A run with an order that was seen `before` so many times.
  constexpr void add(uint64_t before) {
    ++runs;
    distinct += before == 0 ? 1 : 0;
    once = once + (before == 0 ? 1 : 0) - (before == 1 ? 1 : 0);
    twice = twice + (before == 1 ? 1 : 0) - (before == 2 ? 1 : 0);
  }
};

}  // namespace snarl
