// The cores that this process may use.
#pragma once

#include <sched.h>

#include <vector>

namespace snarl::os {

inline std::vector<int> allowed_cores() {
  std::vector<int> cores;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &set)) cores.push_back(cpu);
  if (cores.empty()) cores.push_back(-1);
  return cores;
}

}  // namespace snarl::os
