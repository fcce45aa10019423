// From a failed run to a finding: who waited where for what, and how it came to that.
//
// Trusts nothing in the record beyond what the wire reader checked: every index into
// frames and modules is tested again. Not thread-safe (the symbolizer isn't).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explore/record.h"
#include "report/finding.h"
#include "schedule/schedule.h"

namespace snarl {

class Symbolizer;

// What the record does not know.
struct FindingContext {
  std::string id;      // "0001"
  std::string policy;  // as after -p
  uint64_t schedules_before = 0;
  double seconds = 0;   // since the start of the exploration
  std::string program;  // path
  std::vector<std::string> argv;
  std::string directory;  // source files below it are shown relative to it
  bool confirmed = true;
  std::vector<FindingCommand> commands = {};  // empty: "Replay: snarl replay <id>"
};

// `traced` is a replay of `failed` with events, or nullptr: then the table has only the switches.
// A traced run that ended otherwise than `failed` is not used for the table. Finding::folder
// stays empty: the store sets it.
Finding diagnose(const RunRecord& failed, const RunRecord* traced, Symbolizer& symbolizer,
                 const FindingContext& context);

// What makes two failures the same one. Needs no symbols, and is the same in every process
// of a build: kind and, for a deadlock, each blocked thread's pending operation and place;
// for an assertion its text; for a signal its number and the innermost place in the program's
// own code; for an exit its code.
std::string signature_of(const RunRecord& record);

// Six hex digits, for folder names.
std::string signature_hash(std::string_view signature);

// The wire's modules in the form that schedules use; entries that are no valid module are left out.
std::vector<LoadedModule> loaded_modules(std::span<const wire::Module> modules);

// The schedule file of a run: switches with their places, and comments where a finding names them.
// `cpus` is what was shown to the program.
Schedule schedule_of(const RunRecord& record, const FindingContext& context, uint32_t cpus,
                     const Finding* finding = nullptr);

}  // namespace snarl
