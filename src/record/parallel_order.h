// The order of a parallel run, as the switches of a serial one. Pure.
//
// Every thread recorded its steps with the time at which it had the object; sorted by time they are
// one order that fits every object's. A serial replay of it is the same run, unless threads met in
// between, in plain memory or atomics.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/decision.h"

namespace snarl::record {

struct ParallelStep {
  uint64_t when = 0;
  uint64_t pc = 0;
  OpKind kind = OpKind::kNone;
  bool late = false;  // a timed wait that ran out of time
};

struct ParallelThread {
  uint32_t ordinal = 0;
  std::vector<ParallelStep> steps;
  ParallelStep pending;  // what it was about to do at the end
};

std::vector<Decision> serial_order(std::span<const ParallelThread> threads);

}  // namespace snarl::record
