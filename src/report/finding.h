// A finding: one failure of the tested program, as data (schema snarl.finding/1,
// docs/formats/report-json.md).
//
// explain/diagnose/diagnose builds it; report.json is written from it, and every other format
// from that JSON. All texts are as the program gave them, control characters included:
// whoever shows them cleans them (report/printable.h). Plain data.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/ids.h"
#include "schedule/run_key.h"

namespace snarl::report {

constexpr const char* kFindingSchema = "snarl.finding/1";

// A place in the code; the less is known of a module the less is filled in.
struct Location {
  std::string function = {};  // short: "transfer", "Account::withdraw"
  std::string file = {};      // for people: relative to the folder that the run started in, when below it
  std::string path = {};      // as the debug info has it, absolute
  int line = 0;               // 0: unknown
  int column = 0;
  std::string module = {};  // base name
  uint64_t offset = 0;      // in the module's file
  bool inlined = false;
  bool system = false;  // of the C or C++ implementation

  bool known() const { return !file.empty() || !function.empty() || !module.empty(); }
};

using Stack = std::vector<Location>;  // innermost first

// A mutex, condition variable, ... under the short name that the report uses for it.
struct FindingObject {
  std::string kind;  // "mutex", "condition", "rwlock", "semaphore", "barrier", "futex", "once", "memory"
  std::string name;  // "lock_a", or a letter where the program has no name for it
  bool letter = false;
  Location first = {};     // where it was first used
  std::string about = {};  // memory of the heap: "48-byte block allocated at f.cc:12 by T1, +16"
};

struct HeldObject {
  std::string object;   // FindingObject::name
  Location place = {};  // where it was taken
  Stack stack = {};
  std::string how = {};  // a read-write lock: "reading", "writing"
};

struct FindingThread {
  uint32_t ordinal = 0;
  std::string name;        // "main", "T1"
  std::string label = {};  // pthread_setname_np, or else the function that it runs
  std::string state =
      {};  // "blocked", "ready", "failed", "ended", "spinning"; "running" or "unknown" if it could not tell
  std::string pending = {};    // "lock B"; empty: ended
  std::string waits = {};      // "waits for B", "waits for T1 to end", "waits for a signal of C"; empty: it doesn't
  std::string waits_for = {};  // FindingObject::name or a thread's name
  std::string held_by = {};    // name of the thread that has it; empty: nobody
  std::vector<HeldObject> holds = {};
  Location place = {};  // of the pending operation, or of the failure
  Stack stack = {};
  std::string creator = {};  // name of a thread
  Location created_at = {};
  uint64_t steps = 0;
};

// A row of the schedule table: a step, a switch (in the column of the thread that stops),
// or an operation that was never granted (it stands at the end).
struct FindingRow {
  Step step = 0;  // 0: before the second thread, or not a step
  uint32_t thread = 0;
  std::string operation;  // name_of(OpKind); "fail" for the row where the run failed
  std::string text;       // "lock A", "preempted by policy", "wait A"
  Location place = {};
  std::string note = {};    // "held by T1"
  std::string reason = {};  // a switch: name_of(Reason); empty otherwise
  bool granted = true;      // false: never performed
  uint64_t skipped = 0;     // steps before it that have no row: they look like the ones around the gap
};

inline bool is_step(const FindingRow& row) { return row.reason.empty() && row.granted; }

struct FindingSwitch {
  Step step = 0;
  uint32_t from = 0;
  uint32_t to = 0;
  std::string reason;     // name_of(Reason)
  std::string operation;  // name_of(OpKind): what `from` had arrived at
  uint64_t nth = 0;
  Location place = {};
  bool from_timer = false;  // it is the timer of that thread
  bool to_timer = false;
};

// What somebody did: of a misuse first the wrong call, then what makes it wrong.
struct FindingDeed {
  std::string text;  // "T2 thief unlocks A"
  Location place = {};
  Stack stack = {};
};

// The failing schedule let time pass though a thread could run: the last deadline that came so.
struct FindingDeadline {
  double seconds = 0;      // that passed; 0: there was none
  uint64_t count = 0;      // how many came so
  std::string who = {};    // whose it is: a thread's name, or "an alarm"
  Location set_at = {};    // where its wait began, or the alarm was set
  std::string other = {};  // who could run ...
  Location other_at = {};  // ... and where it stood
};

struct FindingCommand {
  std::string what;     // "Replay", "Debug"
  std::string command;  // "snarl replay 0001"
};

struct Finding {
  std::string id;             // "0001"
  std::string kind;           // name_of(OutcomeKind) or name_of(MisuseKind)
  std::string signature;      // see signature_of in explain/diagnose/diagnose.h
  std::string hash;           // six hex digits of it
  std::string headline = {};  // "deadlock", "assertion failed", "SIGSEGV": without numbers
  std::string summary = {};   // the SUMMARY line behind "SUMMARY: snarl: "
  Location place = {};        // the place in it
  bool confirmed = false;
  std::string doubt = {};  // why it is not, if not because it did not happen again

  std::string policy;  // as after -p: what key.policy is
  RunKey key;
  uint64_t schedules_before = 0;
  double seconds = 0;  // since the start of the exploration
  uint64_t switches = 0;
  Step steps = 0;

  std::string program;  // path
  std::vector<std::string> argv = {};
  std::string build_id = {};

  std::string message = {};  // assertion text
  std::string signal = {};   // "SIGSEGV"
  uint64_t fault_address = 0;
  int exit_code = 0;
  uint32_t failing_thread = 0;
  std::string out_tail = {}, err_tail = {};

  FindingDeadline deadline = {};
  std::vector<FindingDeed> deeds = {};  // of a misuse
  std::vector<FindingObject> objects = {};
  std::vector<FindingThread> threads = {};
  std::vector<FindingRow> rows = {};
  uint64_t rows_lost = 0;  // steps before the first row: of a long run, its end is told
  std::vector<FindingSwitch> decisions = {};
  std::string line = {};  // "S0----S1-P2--x"

  std::string folder = {};  // "snarl-out/findings/0001-deadlock-9c41e0"
  std::vector<FindingCommand> commands = {};

  // Filled by minimizing and explaining; until then absent from the JSON.
  uint64_t switches_before_minimizing = 0;
  int depth = 0;
  std::vector<std::string> cause = {};
};

nlohmann::json to_json(const Finding& finding);

// Checks schema and types; ignores keys it does not know.
Expected<Finding> finding_from_json(const nlohmann::json& json);

// The text of report.json: indented, invalid UTF-8 replaced.
std::string finding_json_text(const Finding& finding);
Expected<Finding> finding_from_json_text(const std::string& text);

// "0001-deadlock-9c41e0"
std::string folder_name(const Finding& finding);

}  // namespace snarl::report
