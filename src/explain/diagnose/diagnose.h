// From a failed run to a finding: who waited where for what, and how it came to that. The failure is
// RunRecord::failure.
//
// Not thread-safe (the symbolizer isn't).
#pragma once

#include <string>
#include <vector>

#include "explain/cause/cause.h"
#include "explain/signature.h"
#include "record/record.h"
#include "report/finding.h"
#include "schedule/schedule.h"

namespace snarl::symbolize {
class Symbolizer;
}

namespace snarl::explain {

// What the record does not know.
struct FindingContext {
  std::string id;      // "0001"
  std::string policy;  // as after -p
  uint64_t schedules_before = 0;
  uint64_t switches_before = 0;  // of the run that was found, if `failed` is a shorter one
  double seconds = 0;            // since the start of the exploration
  std::string program;           // path
  std::vector<std::string> argv;
  Start start = {};
  std::string directory;  // source files below it are shown relative to it
  bool confirmed = true;
  std::string doubt = {};
  const Cause* cause = nullptr;                       // found from the events of `traced`; null: not looked for
  std::vector<report::FindingCommand> commands = {};  // empty: commands_for(id)
};

// What to do with a finding, given its number, folder or schedule.
std::vector<report::FindingCommand> commands_for(const std::string& finding);

// `traced` is a replay of `failed` with events, or nullptr: then the table has only the switches.
// A traced run that ended otherwise than `failed` is not used for the table. Finding::folder
// stays empty: the store sets it.
report::Finding diagnose(const record::RunRecord& failed, const record::RunRecord* traced,
                         symbolize::Symbolizer& symbolizer, const FindingContext& context);

// "Nothing that snarl sees orders the write at a.c:12 in push and the read at a.c:30 in pop".
std::string unordered_text(const record::RunRecord& record, const wire::RaceEntry& race,
                           symbolize::Symbolizer& symbolizer, const std::string& directory);

// Information about a run that did not fail by it: RunRecord::failure is a misuse that is none of the
// failing kinds. One sentence.
std::string note_text(const record::RunRecord& record, symbolize::Symbolizer& symbolizer, const std::string& directory);

// The schedule file of a run: switches with their places, and comments where a finding names them.
// `cpus` is what was shown to the program.
Schedule schedule_of(const record::RunRecord& record, const FindingContext& context, uint32_t cpus,
                     const report::Finding* finding = nullptr);

}  // namespace snarl::explain
