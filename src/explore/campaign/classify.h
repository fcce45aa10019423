// The randomised test of the noise makers' paper: which groups of events help a failure, and which hide it.
#pragma once

#include <set>

#include "base/error.h"
#include "explain/group_names.h"
#include "record/event_groups.h"
#include "report/classification.h"
#include "schedule/run.h"

namespace snarl::explore {

// What runs with random subsets showed; all of one policy.
struct SubsetRuns {
  PolicySpec policy;
  uint64_t seed = 0;
  uint64_t runs = 0;                // with index 0 .. runs - 1 ...
  std::set<uint64_t> missing = {};  // ... but for these
  std::set<uint64_t> failing = {};
};

// Is this a policy whose runs tell groups apart? Only random halves do: each other group is then in half of the runs
// with noise and in half of those without, and other runs are confounded by their policy. (PADTAD'06, section 2.)
Status check_classifies(const PolicySpec& policy);

// The subsets are drawn again, so nothing of a run need be kept but how it ended.
report::Classification classify(const SubsetRuns& runs, const record::GroupTable& groups, explain::GroupText& text);

}  // namespace snarl::explore
