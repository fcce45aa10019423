// Races of other schedules that only a solver sees: the maximal causal model of a window of a trace (PLDI'14).
//
// Unlike sync-preserving orders, critical sections may change places, and a read may read from another write of the
// same value. Without events for branches, all that the two threads and those that they depend on have read keeps its
// value. What has no word in that theory stays as it was observed (predict_trace.h), and so do accesses of different
// bytes that overlap. What comes before a window is done as recorded. The questions are SMT-LIB text: whoever answers
// them is the caller's.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>

#include "detect/sync_preserving.h"

namespace snarl::detect {

// Takes commands, and returns what is answered to them. Commands add up; "(reset)" ends that.
using Solver = std::function<std::string(const std::string& commands)>;

struct CausalLimits {
  EventIndex window = 1000;
  size_t questions = 200;  // of the whole trace ...
  size_t of_pair = 4;      // ... and of one pair of places, in one window
};

// Pairs of places (with the smaller one first) that are in `known` are not asked for.
PredictedRaces causal_races(const PredictTrace& trace, const Solver& solver,
                            const std::set<std::pair<uint64_t, uint64_t>>& known, const CausalLimits& limits = {});

}  // namespace snarl::detect
