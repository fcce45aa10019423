// Looks for the smallest directive with which the program fails (definitions 5 to 8 of PLDI'12), by making runs.
//
// The smallest directive that no run has refuted is tried. A run that obeys it and passes refutes it, and many others.
// What is left fails in all of kWalks runs: so with a confidence of 95 % at least 99.4 % of the schedules that obey
// fail. Then each constraint is left out, to see that it is needed. Pure: whoever calls makes the runs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explain/cause/cause.h"
#include "explain/cause/trace.h"
#include "schedule/directive.h"

namespace snarl::explain {

constexpr uint64_t kWalks = 500;       // to be sure of a directive ...
constexpr uint64_t kByPriority = 200;  // ... and those by random priorities
constexpr uint64_t kWithoutOne = 200;  // for each constraint: runs without it

struct CauseRule {
  TracedEvent target;
  std::vector<TracedEvent> sources;
};
using CauseRules = std::vector<CauseRule>;

enum class TrialEnd : uint8_t { kFailed, kFailedOtherwise, kPassed, kUnclear };

struct Trial {
  TrialEnd end = TrialEnd::kUnclear;
  Obedience obedience = Obedience::kOpen;
  Trace passed = {};  // of a run that passed
};

class Trials {
 public:
  virtual ~Trials() = default;
  // A run that obeys; the same for the same arguments. None: the time is over. `tells`: the trace of a run that passes
  // is wanted.
  virtual std::optional<Trial> run(const CauseRules& rules, uint64_t number, bool by_priority, bool tells) = 0;
};

// `failed` is of the run to explain.
Cause find_cause(const Trace& failed, Trials& trials);

}  // namespace snarl::explain
