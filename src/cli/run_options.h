// The options of `run` as values.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/terminal.h"
#include "explore/campaign/campaign.h"
#include "explore/target/setup.h"
#include "report/suppressions.h"

namespace snarl::cli {

struct RunOptions {
  explore::CampaignPlan plan;
  double seconds = 0;  // infinity: no limit
  double timeout = 0;
  Step step_budget = 0;
  wire::Time time = wire::Time::kVirtual;
  wire::Patience patience;
  wire::Randomness random = wire::Randomness::kSeed;
  std::vector<int> cpus;
  wire::Reset reset = wire::Reset::kFork;
  explore::Switching switching = explore::Switching::kAuto;
  bool misuse = true;
  PointSet points = kDefaultPoints;
  std::vector<FunctionRule> functions;
  std::string suppressions_file;
  std::vector<report::Suppression> suppressions;
  std::string output;
  bool json = false;
  bool once = false;
  bool launcher = false;
  ColorMode color = ColorMode::kAuto;
};

Expected<RunOptions> read_run_options(const Arguments& arguments);

// --blocked-after and --slice, and others that replay has too.
Expected<wire::Patience> read_patience(const Arguments& arguments);
Expected<explore::Switching> read_switching(const Arguments& arguments);
Expected<ColorMode> read_color(const Arguments& arguments);

// "snarl-out" for "./snarl-out/": there `snarl replay` finds findings by number.
std::string plain_path(const std::string& path);

}  // namespace snarl::cli
