// A profile (n, k, shared places, counts) is frozen per epoch: these are the indices at which a new one begins
// (docs/rules.md, rule 13).
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace snarl {

constexpr uint64_t kProfilingSalt = 0x70726f66696c65;  // "profile": no campaign index has the draws of a profiling run

// The one after `boundary`; 0 is the first. Each epoch is as long as all before it: what a run shows is of use soon,
// and the pauses in which all workers wait for the slowest run become rare.
constexpr uint64_t next_boundary(uint64_t boundary) { return boundary == 0 ? 1 : boundary * 2; }

// How often a step is not the policy's choice: so rarely that 1 in 20 runs of k steps has one such step.
constexpr double default_fairness(Step k) {
  const double rarely = 0.05 / static_cast<double>(k < 1 ? 1 : k);
  return rarely < 0.001 ? rarely : 0.001;
}

// Where plain accesses at shared places are points, every so many turns of a policy have a point at every plain access
// instead: a place that was not seen shared yet can be found all the same, and is learned.
constexpr uint64_t kAllMemoryEvery = 8;
constexpr bool is_all_memory_turn(uint64_t turn) { return turn % kAllMemoryEvery == kAllMemoryEvery - 1; }

// Above so many steps, such runs would take nearly all of the time: then those turns only learn.
constexpr Step kMostAllMemorySteps = 20'000;

constexpr Step most_all_memory_steps(Step budget) {
  return budget == 0 || budget / 4 > kMostAllMemorySteps ? kMostAllMemorySteps : budget / 4;
}

// Runs whose partial order is hashed, where a hash of each would cost too much of a short run: the first turns of a
// policy, and some of the others.
constexpr uint64_t kOrderedEvery = 8;
constexpr bool is_ordered_turn(uint64_t turn) { return turn < 64 || turn % kOrderedEvery == 0; }

// Runs that count for policies that ask for it, from the beginning of each epoch: counting takes longer than a short
// run.
constexpr uint64_t kCountedTurns = 8;

}  // namespace snarl
