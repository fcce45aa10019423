// Keeps the calling thread on one core while the object lives. The runs that it drives are on that core too, so it
// never waits behind the runs of another core.
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

  // The cores that the calling thread would have if it were not pinned. A process that it starts must get these: the
  // program asks for them, and parallel runs use them.
  static std::optional<cpu_set_t> cores_otherwise();

 private:
  bool done_ = false;
};

}  // namespace snarl::os
