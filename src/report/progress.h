// How far an exploration has come, or what follows a failure. Plain data.
#pragma once

#include <cstdint>

namespace snarl::report {

enum class Phase : uint8_t {
  kExploring,
  kShortening,  // looks for a shorter schedule of a failure
  kExplaining,  // looks for its cause
};

struct Progress {
  uint64_t schedules = 0;
  uint64_t distinct = 0;
  uint64_t orders = 0;  // distinct partial orders
  uint64_t findings = 0;
  double seconds = 0;
  double rate = 0;              // schedules per second, over the last second or so
  double limit = 0;             // of the seconds; 0: none
  uint64_t most_schedules = 0;  // likewise
  // Of a failure that is shortened or explained, `schedules` and `seconds` are those that this takes, and nothing else
  // is set but:
  Phase phase = Phase::kExploring;
  uint64_t size = 0;  // switches of the shortest schedule so far, or orders of the cause that is tried
};

}  // namespace snarl::report
