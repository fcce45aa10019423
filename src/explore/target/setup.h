// What is the same for every process of one exploration.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "explore/target/target.h"
#include "os/standard_input.h"
#include "schedule/directive_file.h"
#include "schedule/expectations.h"
#include "schedule/function_rule.h"
#include "schedule/run_settings.h"
#include "wire/layout.h"

namespace snarl::explore {

// How threads take turns. kAuto: on fibers, where there is a fork server and the program allows it.
enum class Switching { kAuto = 0, kFibers, kGates };

class Rewinding;

struct Setup {
  Target target;
  std::string runtime;                   // path of libsnarl_rt.so
  std::string scanner;                   // path of the program that scans files for the runtime; empty: none are
  std::string cache;                     // folder of what it found; empty: none
  std::vector<std::string> environment;  // the user's, as it is
  const os::StandardInput* input = nullptr;
  std::vector<std::string> debugger;  // Mode::kDebug: its command, which starts the program
  wire::Reset reset = wire::Reset::kFork;
  std::shared_ptr<Rewinding> rewinding;  // with reset rewind: what came of it
  Switching switching = Switching::kAuto;
  bool whole_output = false;  // records have all of the standard output, up to Expectations::kMostOutput
  double timeout = 10;        // seconds, per run
  RunSettings settings;       // of every run; whoever orders one adds to them
  std::shared_ptr<const Expectations> expectations;  // of every run; null: exit code 0, and any output
  std::vector<FunctionRule> functions;               // that the user named; at most kMaxFunctionRules
  std::vector<std::string> stepped;                  // names of files; see wire::Options
  std::vector<std::string> unpatched;                // likewise
  std::vector<std::string> plugins;                  // libraries of policies, absolute paths
  std::map<std::string, Directive> directives;       // by the file that a policy `obey` names
};

}  // namespace snarl::explore
