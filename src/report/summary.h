// The summary of one exploration, as data (schema snarl.summary/2,
// docs/formats/summary-json.md). summary.json is written from it. Plain data.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/ids.h"

namespace snarl::report {

constexpr const char* kSummarySchema = "snarl.summary/2";

// A choice that snarl made, and why.
struct Chosen {
  std::string kind = {};  // switching: "gates"; reset: "exec", "fork"
  std::string why = {};
};

struct PolicyCount {
  std::string policy;  // as after -p
  uint64_t schedules = 0;
  uint64_t failing_schedules = 0;
  double hit_rate = 0;      // failing_schedules / schedules ...
  double hit_rate_low = 0;  // ... and its exact 95% interval
  double hit_rate_high = 1;
  std::optional<uint64_t> first_after = {};  // its schedules up to the first failing one; null: none failed
  double seconds = 0;                        // of its runs, by the wall clock, added up
  bool exhausted = false;                    // it has no more schedules, or drew none that was new for long
};

// How many schedules of a policy ended in one finding.
struct FoundBy {
  std::string policy;
  uint64_t schedules = 0;
};

// "A bug of depth d that shows within k steps of at most n threads, without any of our mechanisms, would have been
// found with at least this probability" (schedule/bound.h). None is there if a run failed.
struct Bound {
  std::string policy;
  int depth = 0;
  uint32_t threads = 0;  // n
  Step steps = 0;        // k
  uint64_t counted = 0;  // runs that were planned with at least these: whatever happened in them
  double probability = 0;
  // How many of them met which mechanism.
  uint64_t time_out = 0;
  uint64_t passed_over = 0;
  uint64_t starvation = 0;
  uint64_t watchdog = 0;
};

// How often the runs of a policy `obey` obeyed its directive.
struct Obeyed {
  std::string policy;
  uint64_t satisfied = 0;
  uint64_t violated = 0;
  uint64_t dead_end = 0;
  uint64_t open = 0;  // ended before some target was reached
};

struct ProfileEpoch {
  uint32_t epoch = 0;
  uint64_t first_index = 0;  // the first schedule that was planned with it
  uint32_t threads = 0;
  Step steps = 0;
  uint64_t groups = 0;  // of events, that noise makers chose from; 0: none, or no noise maker
};

struct Repeatable {
  uint32_t same = 0;
  uint32_t of = 0;  // 0: not checked
};

struct SummaryFinding {
  std::string id;
  std::string kind;
  std::string signature;
  std::string place;  // "bank.cc:22"
  std::string function = {};
  std::string policy = {};
  uint64_t seed = 0;
  uint64_t index = 0;
  uint64_t switches = 0;
  std::optional<int> depth = {};  // null until it is known
  std::string folder = {};
  uint64_t schedules = 0;  // failing schedules with this signature
  bool confirmed = true;
  std::string summary = {};            // the SUMMARY line of its report
  std::vector<FoundBy> found_by = {};  // policies that ended in it, in the order of Summary::policy
};

// Not a failure, but worth knowing.
struct SummaryNote {
  std::string kind;  // "exit_holding"
  std::string text;
  uint64_t schedules = 0;
};

struct SummarySuppression {
  std::string text;  // as it stands in the file
  int line = 0;
  uint64_t findings = 0;   // that it kept from being reported
  uint64_t schedules = 0;  // with them
};

// Atomic instructions of code that was not compiled for us (points: atomic).
struct AtomicSites {
  uint32_t found = 0;
  uint32_t patched = 0;        // those that are points
  uint32_t unread_files = 0;   // that could not be scanned
  uint32_t refused_files = 0;  // whose code could not be changed
  uint32_t disputed = 0;       // of those found: perhaps no instructions, and left alone
};

// Schedules with a point at every plain access, where else only shared places are (points: memory).
struct AllMemoryRuns {
  uint64_t schedules = 0;
  Step steps = 0;  // of the longest; where there are none, an estimate
};

// Functions that the user named (--point-at, --locks).
struct NamedFunctionsSeen {
  uint32_t found = 0;
  uint32_t patched = 0;  // the rest could not be
};

// A loop without schedule points in which threads computed for so long that they were stopped.
struct SpinLoop {
  std::string place;  // "bank.cc:22"
  std::string function = {};
  bool is_point = false;  // it waits for memory, and its load became a point
};

// A file whose patches were wrong, and were taken out.
struct UnpatchedFile {
  std::string file;
  std::string why;
};

// Deadlines that came by the policy's choice, while a thread could run.
struct ChosenDeadlines {
  uint64_t deadlines = 0;
  uint64_t schedules = 0;  // with at least one
};

// Partial orders (docs/glossary.md) of the schedules.
struct SeenOrders {
  uint64_t schedules = 0;  // whose order is known
  uint64_t distinct = 0;
  uint64_t left = 0;   // at least so many more there are, by estimate
  uint64_t quiet = 0;  // schedules since the last one that showed a new order
};

struct Summary {
  std::string version;
  std::vector<std::string> command;  // the tested program and its arguments
  uint64_t seed = 0;
  uint64_t schedules = 0;
  uint64_t failing_schedules = 0;
  double seconds = 0;
  double cpu_seconds = 0;
  Chosen switching;
  Chosen reset;
  std::string time = "virtual";  // mode: "virtual", "free", "real"
  std::vector<PolicyCount> policy;
  std::vector<std::string> points = {"sync"};
  AtomicSites atomic_sites = {};
  AllMemoryRuns all_memory = {};
  std::vector<UnpatchedFile> unpatched = {};
  std::vector<SpinLoop> spin_loops = {};
  NamedFunctionsSeen named_functions = {};
  uint64_t points_seen = 0;  // schedule points of the longest run
  uint32_t threads = 0;      // n, the most that was seen
  Step steps = 0;            // k, the most that was seen
  std::vector<Bound> bound;
  std::vector<Obeyed> obeyed = {};
  uint64_t distinct_schedules = 0;
  SeenOrders orders = {};
  Repeatable repeatable;
  uint64_t unconfirmed = 0;  // failures that did not fail again in a fresh process
  uint64_t lost = 0;         // runs whose process ended without telling how, and were tried again
  uint64_t too_long = 0;     // schedules that used up the step budget and did not fail: no verdict
  Step longest = 0;          // the most steps that one of them took
  Step step_budget = 0;      // 0: none
  bool exhausted = false;    // all policies are: that is why it ended
  ChosenDeadlines chosen_deadlines = {};
  std::vector<SummaryFinding> findings;
  std::vector<SummaryNote> notes = {};
  std::string suppressions_file = {};
  std::vector<SummarySuppression> suppressions = {};
  std::vector<ProfileEpoch> profiles;
  bool interrupted = false;
  bool keep_going = false;  // it went on after a finding
  std::string output = {};  // the output folder
};

nlohmann::json to_json(const Summary& summary);
Expected<Summary> summary_from_json(const nlohmann::json& json);

// A step budget that schedules like those that were too long would not use up, as far as is known; a round number.
Step enough_steps(const Summary& summary);

// Has nothing new come for so long that the policies seem to have no more to show?
bool is_quiet(const SeenOrders& orders);

// The text of summary.json.
std::string summary_json_text(const Summary& summary);

}  // namespace snarl::report
