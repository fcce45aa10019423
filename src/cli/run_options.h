// The options of `run` as values.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "cli/options.h"
#include "explore/campaign.h"
#include "explore/setup.h"
#include "report/suppressions.h"

namespace snarl {

struct RunOptions {
  CampaignPlan plan;
  double seconds = 0;  // infinity: no limit
  double timeout = 0;
  Step step_budget = 0;
  wire::Time time = wire::Time::kVirtual;
  std::vector<int> cpus;
  wire::Reset reset = wire::Reset::kFork;
  bool misuse = true;
  std::string suppressions_file;
  std::vector<Suppression> suppressions;
  std::string output;
  bool json = false;
  bool once = false;
};

Expected<RunOptions> read_run_options(const Arguments& arguments);

}  // namespace snarl
