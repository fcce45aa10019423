// A finding as report.json has it (schema snarl.finding/2, docs/formats/report-json.md): every name and sentence in
// words. report/text/in_words makes it from the Finding; every other format is made from it.
//
// All texts are as the program gave them, control characters included: whoever shows them cleans them
// (report/printable.h). Plain data.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/ids.h"
#include "report/finding_head.h"

namespace snarl::report {

constexpr const char* kFindingSchema = "snarl.finding/2";

// A mutex, condition variable, ... under the short name that the report uses for it.
struct DocumentObject {
  std::string kind;  // "mutex", "condition", "rwlock", "semaphore", "barrier", "futex", "once", "memory"
  std::string name;  // "lock_a", or a letter where the program has no name for it
  bool letter = false;
  Location first = {};     // where it was first used
  std::string about = {};  // memory of the heap: "48-byte block allocated at f.cc:12 by T1, +16"
};

struct DocumentHeld {
  std::string object;   // DocumentObject::name
  Location place = {};  // where it was taken
  Stack stack = {};
  std::string how = {};  // a read-write lock: "reading", "writing"
};

struct DocumentThread {
  uint32_t ordinal = 0;
  std::string name;        // "main", "T1"
  std::string label = {};  // pthread_setname_np, or else the function that it runs
  std::string state =
      {};  // "blocked", "ready", "failed", "ended", "spinning"; "running" or "unknown" if it could not tell
  std::string pending = {};    // "lock B"; empty: ended
  std::string waits = {};      // "waits for B", "waits for T1 to end", "waits for a signal of C"; empty: it doesn't
  std::string waits_for = {};  // DocumentObject::name or a thread's name
  std::string held_by = {};    // name of the thread that has it; empty: nobody
  std::vector<DocumentHeld> holds = {};
  Location place = {};  // of the pending operation, or of the failure
  Stack stack = {};
  std::string creator = {};  // name of a thread
  Location created_at = {};
  uint64_t steps = 0;
};

// A row of the schedule table: a step, a switch (in the column of the thread that stops),
// or an operation that was never granted (it stands at the end).
struct DocumentRow {
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

inline bool is_step(const DocumentRow& row) { return row.reason.empty() && row.granted; }

struct DocumentSwitch {
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
struct DocumentDeed {
  std::string text;  // "T2 thief unlocks A"
  Location place = {};
  Stack stack = {};
};

// The failing schedule let time pass though a thread could run: the last deadline that came so.
struct DocumentDeadline {
  double seconds = 0;      // that passed; 0: there was none
  uint64_t count = 0;      // how many came so
  std::string who = {};    // whose it is: a thread's name, or "an alarm"
  Location set_at = {};    // where its wait began, or the alarm was set
  std::string other = {};  // who could run ...
  Location other_at = {};  // ... and where it stood
};

struct FindingDocument : FindingHead {
  std::string kind;           // name_of(OutcomeKind) or name_of(MisuseKind)
  std::string headline = {};  // "deadlock", "assertion failed", "SIGSEGV": without numbers
  std::string summary = {};   // the SUMMARY line behind "SUMMARY: snarl: "
  std::string message = {};   // assertion text, or what happened in a sentence
  std::string signal = {};    // "SIGSEGV"

  DocumentDeadline deadline = {};
  std::vector<DocumentDeed> deeds = {};  // of a misuse
  std::vector<DocumentObject> objects = {};
  std::vector<DocumentThread> threads = {};
  std::vector<DocumentRow> rows = {};
  std::vector<DocumentSwitch> decisions = {};
  std::string line = {};  // "S0----S1-P2--x"
};

nlohmann::json to_json(const FindingDocument& finding);

// Checks schema and types; ignores keys it does not know.
Expected<FindingDocument> finding_from_json(const nlohmann::json& json);

// The text of report.json: indented, invalid UTF-8 replaced.
std::string finding_json_text(const FindingDocument& finding);
Expected<FindingDocument> finding_from_json_text(const std::string& text);

}  // namespace snarl::report
