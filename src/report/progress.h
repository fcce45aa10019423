// How far an exploration has come. Plain data.
#pragma once

#include <cstdint>

namespace snarl::report {

struct Progress {
  uint64_t schedules = 0;
  uint64_t distinct = 0;
  uint64_t findings = 0;
  double seconds = 0;
  double rate = 0;  // schedules per second, over the last second or so
};

}  // namespace snarl::report
