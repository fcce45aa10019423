// The options of `run` as values.
#pragma once

#include <memory>
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
  double seconds = 0;        // infinity: no limit
  double after_finding = 0;  // 0: none
  bool shorten = true;
  double timeout = 0;
  RunSettings settings;
  std::vector<int> cpus;
  wire::Reset reset = wire::Reset::kFork;
  explore::Switching switching = explore::Switching::kAuto;
  std::vector<FunctionRule> functions;
  std::shared_ptr<const Expectations> expectations;  // see Setup
  bool same_output = false;                          // the output that is expected is that of runs without us
  std::string suppressions_file;
  std::vector<report::Suppression> suppressions;
  std::string output;
  bool json = false;
  bool once = false;
  bool launcher = false;
  bool follow = false;
  ColorMode color = ColorMode::kAuto;
};

Expected<RunOptions> read_run_options(const Arguments& arguments);

// Would a run take them?
Status check_run_options(const Arguments& arguments);

// What a schedule recorded stays as it is in `settings` unless an option is given.
enum class Recorded { kNothing, kSchedule };
Status read_settings(const Arguments& arguments, Recorded recorded, RunSettings& settings);

// Others that replay has too.
Expected<explore::Switching> read_switching(const Arguments& arguments);
Expected<ColorMode> read_color(const Arguments& arguments);

// "snarl-out" for "./snarl-out/": there `snarl replay` finds findings by number.
std::string plain_path(const std::string& path);

}  // namespace snarl::cli
