// Races of other schedules, from the trace of one run. Each is a possible race, to be looked for by an order of events
// that should show it; it counts only if that is found.
#pragma once

#include <vector>

#include "explore/execute/order.h"
#include "record/record.h"

namespace snarl::explore {

struct Prediction {
  // Each has one race, as its failure, and the order that should show it as its decisions; no events.
  std::vector<record::RunRecord> races = {};
  bool cut = false;     // there may be more: the trace is too long, or not whole
  bool solved = false;  // by z3, too, if it is there (explore/campaign/solver.h)
};

// `questions`: to z3 at most.
Prediction predict(const record::RunRecord& traced, size_t questions);

// Is that run of an exploration to be traced? A trace costs many times what a run does, and later runs are more and
// more alike: so runs 0, 1, 2, 4, 8, ... are.
inline bool is_predicted_from(const RunOrder& order) {
  const uint64_t index = order.key.index;
  return !order.profiling && !order.settings.parallel && order.range == nullptr && (index & (index - 1)) == 0;
}

}  // namespace snarl::explore
