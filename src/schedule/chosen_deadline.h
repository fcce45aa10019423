// A deadline that came by choice: time passed though a thread could run.
#pragma once

#include <cstdint>

namespace snarl {

struct ChosenDeadline {
  uint64_t span = 0;      // nanoseconds of virtual time that passed
  uint64_t set_pc = 0;    // where the wait began or the alarm was set
  uint64_t other_pc = 0;  // where a thread stood that could run
  uint32_t timer = 0;     // ordinal (schedule/ordinal.h)
  uint32_t other = 0;     // ordinal
};

}  // namespace snarl
