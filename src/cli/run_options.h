// The options of `run` as values.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/output_files.h"
#include "cli/terminal.h"
#include "explore/campaign/campaign.h"
#include "explore/target/setup.h"
#include "report/suppressions.h"

namespace snarl::cli {

struct RunOptions {
  explore::CampaignPlan plan;
  bool own_points = false;    // somebody named the levels of points
  bool own_policies = false;  // somebody named policies
  bool own_races = false;     // somebody said whether to look for races
  double seconds = 0;         // infinity: no limit
  double after_finding = 0;   // 0: none
  bool explain = true;        // look for the cause of each finding
  bool stop_at_race = false;
  bool predict = false;  // races of other schedules, from traces
  bool shorten = true;
  double timeout = 0;
  RunSettings settings;
  std::vector<int> cpus;
  wire::Reset reset = wire::Reset::kFork;
  uint64_t rewind_check = 1000;
  uint64_t rewinds_at = 0;  // the first schedule that may be made by rewinding
  explore::Switching switching = explore::Switching::kAuto;
  std::vector<FunctionRule> functions;
  std::shared_ptr<const Expectations> expectations;  // see Setup
  bool same_output = false;                          // the output that is expected is that of runs without us
  std::string suppressions_file;
  std::vector<report::Suppression> suppressions;
  std::string output;
  std::string corpus;  // folder of old failing schedules; empty: none
  OutputFiles files;
  bool annotations = false;  // for GitHub
  bool json = false;
  bool once = false;
  bool launcher = false;
  bool follow = false;
  ColorMode color = ColorMode::kAuto;
};

Expected<RunOptions> read_run_options(const Arguments& arguments);

// What nobody chose depends on the program: a build with hooks has memory points. The default policies go by the
// points, and so does whether snarl looks for races.
void fit_to_build(const explore::Target& target, RunOptions& options);

// What a schedule recorded stays as it is in `settings` unless an option is given.
enum class Recorded { kNothing, kSchedule };
Status read_settings(const Arguments& arguments, Recorded recorded, RunSettings& settings);

// Others that replay has too.
Expected<explore::Switching> read_switching(const Arguments& arguments);
Expected<ColorMode> read_color(const Arguments& arguments);

// Only where results go, and how they look.
Status read_outputs(const Arguments& arguments, RunOptions& options);

// "snarl-out" for "./snarl-out/": there `snarl replay` finds findings by number.
std::string plain_path(const std::string& path);

}  // namespace snarl::cli
