// A recorded failure as the verbs take it that run it again: found, looked at, and made ready to be run.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/arguments.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "explore/target/setup.h"
#include "os/guard.h"
#include "os/standard_input.h"
#include "schedule/schedule.h"

namespace snarl::cli {

struct RecordedRun {
  std::shared_ptr<const Schedule> schedule;
  std::string path;        // of its file
  bool same_build = true;  // else places mean nothing, and only the kind of failure is compared
  explore::Setup setup;
  bool json = false;
  bool trusted = false;              // the finding is ours, or the user says that it may be taken for that
  std::optional<std::string> input;  // of the recorded run
  std::string folder;                // where the program is to run; empty: here
  ColorMode color = ColorMode::kAuto;
};

// `arguments` come from the words; they may change, as what came with a finding chooses nothing.
Expected<RecordedRun> take_recorded(Verb verb, Arguments& arguments, const Words& words);

// Where the program is to run.
Status enter_folder(RecordedRun& run);

// What the recorded run read is part of why it failed; ours counts where nothing was kept.
Expected<os::StandardInput> input_of(const RecordedRun& run);

// A verb that works on a recorded failure for as long as --after-finding says: makes the run that the words name ready,
// and calls `work`. Returns the exit code.
int with_recorded(Verb verb, const Words& words, std::string (*help)(),
                  int (*work)(RecordedRun& run, os::Guard& guard, double seconds));

}  // namespace snarl::cli
