// The stacks that threads ask for by their attributes, as runs have shown them.
#pragma once

#include <span>
#include <vector>

#include "schedule/run_key.h"

namespace snarl::record {

class OwnStackTable {
 public:
  // What a run has shown. The order of runs does not matter.
  void learn(std::span<const OwnStacks> shown);
  // Those that most threads ask for, as a profile has them.
  void tell(std::span<OwnStacks, kMostOwnStacks> most) const;

 private:
  OwnStacks& entry_of(uint64_t size, uint64_t guard_size);

  std::vector<OwnStacks> seen_;  // each size once
};

}  // namespace snarl::record
