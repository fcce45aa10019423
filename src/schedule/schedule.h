// A schedule as it is kept in a file: the switches of one run, where they happened, and
// all that is needed to run it again (format: docs/formats/schedule.md).
//
// Places are (module, offset), so a schedule outlives its process: addresses change with
// every start, offsets only with a new build. Plain data; the functions are pure and
// safe on any thread. Nothing here reads a file: the caller does, and passes its text.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/ids.h"
#include "schedule/decision.h"
#include "schedule/expectations.h"
#include "schedule/function_rule.h"
#include "schedule/rules_version.h"
#include "schedule/run.h"
#include "schedule/shared_place.h"
#include "schedule/start.h"

namespace snarl {

constexpr uint32_t kScheduleVersion = 1;  // of the text format
constexpr uint32_t kNoModule = 0xffffffff;

struct ScheduleModule {
  std::string path;
  std::string build_id;  // lower-case hex; empty: it has none
};

// A Decision whose place means something in every process.
struct Switch {
  Step step = 0;
  uint32_t from = 0;  // ordinals, of timers as well (schedule/ordinal.h)
  uint32_t to = 0;
  Reason reason = Reason::kNone;
  OpKind kind = OpKind::kNone;
  uint32_t module = kNoModule;  // index into Schedule::modules; kNoModule: place unknown
  uint64_t offset = 0;          // of the return address, in the module's file
  uint64_t nth = 0;             // steps that `from` had taken
  std::string comment = {};     // "transfer bank.cc:22": for people, never interpreted
};

// A shared place: plain accesses there are points.
struct SchedulePlace {
  uint32_t module = 0;  // index into Schedule::modules
  uint64_t offset = 0;

  friend bool operator==(const SchedulePlace&, const SchedulePlace&) = default;
};

struct Schedule {
  uint32_t rules = kRulesVersion;
  std::string program;            // path
  std::string build_id;           // of the program; empty: it has none
  std::vector<std::string> argv;  // argv[0] included
  Start start;
  std::string policy;  // as after -p: "pct:depth=2"; only explore makes key.policy of it
  RunKey key;
  RunSettings settings;                      // settings_text.h says which of them are in the file
  std::vector<FunctionRule> functions = {};  // that the user named
  std::vector<std::string> unpatched = {};   // names of files without patches, so without atomic points
  uint32_t cpus = 1;                         // as shown to the program
  bool aslr = true;
  std::shared_ptr<const Expectations> expectations = {};  // null: exit code 0, and any output
  std::string failure = {};                               // name of the outcome; empty: the run did not fail
  std::string signature = {};                             // of the failure
  bool cut = false;  // more switches than were logged: only (seed, index) replays it whole
  std::vector<ScheduleModule> modules = {};
  std::vector<SchedulePlace> places = {};
  std::vector<SchedulePlace> spin_loads = {};  // loads of loops that were seen to spin: points
  std::vector<Switch> switches = {};
};

// The file's text. parse_schedule(write_schedule(s)) gives s again, and the other way round the same bytes.
std::string write_schedule(const Schedule& schedule);

// Strict: an error names `file`:line, what was expected and, for a misspelt word, the nearest one (exit code 2).
Expected<Schedule> parse_schedule(std::string_view text, std::string_view file);

// A module as it lies in a process.
struct LoadedModule {
  uint64_t begin = 0, end = 0;
  uint64_t bias = 0;  // address minus bias is the address in the file
  std::string path;
  std::string build_id;  // lower-case hex
};

// Lower-case hex of a build id's bytes.
std::string build_id_text(std::span<const uint8_t> bytes);

// Fills schedule.modules and schedule.switches from what a process logged.
void set_switches(Schedule& schedule, std::span<const Decision> decisions, std::span<const LoadedModule> modules);

// The switches as decisions for another process: pc is that of its module with the same
// build id (or, where one side has none, the same path), and 0 where there is no such module.
std::vector<Decision> decisions_for(const Schedule& schedule, std::span<const LoadedModule> modules);

// Those of schedule.modules (set_switches fills them); what lies in no module is left out.
void set_places(Schedule& schedule, std::span<const SharedPlace> places);
std::vector<SharedPlace> places_of(const Schedule& schedule);
void set_spin_loads(Schedule& schedule, std::span<const SharedPlace> loads);
std::vector<SharedPlace> spin_loads_of(const Schedule& schedule);

// One sentence for each module of the schedule that is missing or of another build here.
// Empty: the same program.
std::vector<std::string> build_differences(const Schedule& schedule, std::span<const LoadedModule> modules);

}  // namespace snarl
