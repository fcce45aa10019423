// Keeps the calling thread on one core, for as long as the object lives: the runs that it drives are there too, and it
// then never waits behind those of another core.
#pragma once

#include <sched.h>

#include <optional>

namespace snarl::os {

class Pinned {
 public:
  explicit Pinned(int cpu);  // -1, or a core that we may not use: stays as it is
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned();

  // The cores of the calling thread if it were not pinned. A process that it starts must get these: the program asks
  // for them, and parallel runs use them.
  static std::optional<cpu_set_t> cores_otherwise();

 private:
  bool done_ = false;
};

}  // namespace snarl::os
