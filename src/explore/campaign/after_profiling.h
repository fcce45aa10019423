// What is checked when the profiling runs are over and before anything else is handed out: whether the program can be
// tested as the user asked. Only runs show which files are loaded and which variables are met.
//
// Not synchronised: the explorer calls it under its lock.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "explore/campaign/campaign.h"
#include "explore/execute/executor.h"
#include "explore/target/setup.h"

namespace snarl::explore {

class AfterProfiling {
 public:
  void note(const record::RunRecord& record);
  // Does nothing unless the campaign has just profiled. Gives the campaign the groups that the user named.
  Status check(const Setup& setup, const CampaignPlan& plan, Executors& executors, Campaign& campaign);
  // The campaign begins anew. What runs have shown of the program stays.
  void begin_anew() { named_ = false; }

 private:
  uint64_t matched_ = 0;  // wire::Patched, of all runs
  bool hooked_ = false;   // RunRecord, of all runs
  bool named_ = false;    // functions and groups have been looked for
};

}  // namespace snarl::explore
