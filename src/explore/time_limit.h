// When a run has taken too long. Time in which it was ready to go on and got no core does not count: that is the
// machine's doing, and a replay on a busy one must end as it does on an idle one.
#pragma once

#include <sys/types.h>

#include <algorithm>

namespace snarl {

// A process that gets a twentieth of a core still has its whole time; one that gets none ends all the same.
constexpr double kMostProlonged = 20;  // times the limit

// On the clock of now_seconds(), if the run has waited for a core for so many seconds since it began.
inline double latest_end(double began, double limit, double waited) {
  return began + std::min(limit + waited, limit * kMostProlonged);
}

// How many seconds the process's threads, those that are there, have waited for a core; 0 where the kernel does not
// count it.
double waited_for_core(pid_t pid);

}  // namespace snarl
