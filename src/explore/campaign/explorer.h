// Runs a program under many schedules and collects its failures: joins campaign, executors, confirmation and
// self-check. A program is a command, or a function of a test: what differs is the executors.
//
// Each executor is driven by a thread of its own, on the executor's core; the caller's is the first one's, and no other
// is left when explore() returns. Prints nothing: what happens goes to an Observer. At most one explorer per process at
// a time, as it is the parent of all that it starts.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "explore/campaign/campaign.h"
#include "explore/campaign/failure_check.h"
#include "explore/campaign/open_failures.h"
#include "explore/execute/executor.h"
#include "explore/target/setup.h"
#include "report/progress.h"
#include "report/summary.h"

namespace snarl::explore {

struct ExploreOptions {
  CampaignPlan plan;
  double seconds = 60;                  // for all but what follows a failure, and 2 s; no limit: infinity
  std::vector<int> cpus;                // one worker per entry, pinned to that core (-1: not pinned)
  int stop_fd = -1;                     // becomes readable when the user wants it to end
  double after_finding = Stop::kNever;  // seconds to look at failures in, each time that there are new ones
  bool stop_at_race = false;            // a race ends it, as any other failure does
  bool predict = false;                 // races of other schedules, from traces of some (explore/campaign/predict.h)
  bool shorten = false;                 // look for the shortest schedule of each finding
  bool explain = false;                 // look for the cause of each
};

enum class Judgement { kFinding, kSuppressed, kEnough };  // kEnough: a finding, confirmed or not, that ends it

// Told by any of the explorer's threads, one call at a time.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_progress(const report::Progress& progress) = 0;        // ten times per second at most
  virtual Expected<Judgement> on_failure(const FailedRun& failure) = 0;  // an error ends the exploration
  // Not a failure, but worth a line in the summary; the first of its signature.
  virtual void on_note(const record::RunRecord& record, const std::string& signature) = 0;
};

// How a program ended that failed by itself, without threads.
struct OwnEnd {
  int exit_code = 0;
  std::string out, err;
};

// What was made of the traces of some schedules.
struct Predicted {
  uint64_t schedules = 0;                // that were looked at
  uint64_t cut = 0;                      // of them, those of which not all was looked at
  bool solved = false;                   // with z3
  std::set<std::string> races = {};      // signatures of what was predicted ...
  std::set<std::string> missed = {};     // ... and of those that happens-before orders, where they were predicted
  std::set<std::string> confirmed = {};  // ... and of those that a schedule shows, which a fresh process repeated
};

struct Exploration {
  report::Summary summary;           // all but what only the caller knows: version, command, findings, output
  std::map<std::string, Seen> seen;  // by signature, of failures and of notes
  record::GroupTable groups;         // of events, if a policy needs them
  record::SpinLoops spin_loops;      // without schedule points, in which threads were stopped
  uint64_t indices = 0;              // that were handed out ...
  std::set<uint64_t> missing;        // ... but for these: lost, or not ended
  std::set<uint64_t> failing_at;     // of all policies
  uint64_t confirmed = 0;
  Predicted predicted;
  bool one_thread = false;        // nothing to test ...
  std::optional<OwnEnd> own_end;  // ... as it failed before it came to its threads
  bool fails_anyway = false;      // its schedule is not to blame
  bool interrupted = false;
  std::optional<Error> error;  // it could not go on; what was found until then stands
};

Exploration explore(const Setup& setup, const ExploreOptions& options, Executors& executors, Observer& observer);

}  // namespace snarl::explore
