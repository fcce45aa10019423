// The cause of a failure: the smallest directive that was found such that schedules that obey it fail. Plain data.
#pragma once

#include <cstdint>
#include <vector>

#include "explain/cause/trace.h"

namespace snarl::explain {

// How runs went.
struct CauseTally {
  uint64_t runs = 0;
  uint64_t failed = 0;
  uint64_t otherwise = 0;  // of these, in another way
  uint64_t dead_ends = 0;  // every thread that could go on had to be held back
  uint64_t unclear = 0;    // used up their steps or their time
};

struct CauseConstraint {
  TracedEvent target;
  std::vector<TracedEvent> sources;
  CauseTally without;  // runs that obey all the other constraints
};

enum class CauseState : uint8_t {
  kNone,    // not looked for, or the time was over before there was anything to say
  kProved,  // every run that obeyed it failed
  kPartly,  // no directive of up to kMostConstraints is enough: this is the best
};

struct Cause {
  CauseState state = CauseState::kNone;
  std::vector<CauseConstraint> constraints = {};  // in the order of their targets
  CauseTally walk = {};                           // runs that take any choice that obeys, each equally likely
  CauseTally by_priority = {};                    // runs with some thread far ahead of the others
  uint64_t tries = 0;                             // runs in all
  bool in_time = true;                            // false: the time was over before everything was tried
};

}  // namespace snarl::explain
