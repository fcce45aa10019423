// How far an exploration has come. Plain data.
#pragma once

#include <cstdint>

namespace snarl::report {

struct Progress {
  uint64_t schedules = 0;
  uint64_t distinct = 0;
  uint64_t orders = 0;  // distinct partial orders
  uint64_t findings = 0;
  double seconds = 0;
  double rate = 0;              // schedules per second, over the last second or so
  double limit = 0;             // of the seconds; 0: none
  uint64_t most_schedules = 0;  // likewise
};

}  // namespace snarl::report
