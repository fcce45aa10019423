// Is a failure to be believed? It is made once more in a fresh process, and once more without our patches.
//
// All failures that are looked at together share one limit of time (--after-finding).
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "explain/cause/cause.h"
#include "explore/campaign/confirm.h"
#include "explore/campaign/cross_examine.h"
#include "explore/campaign/tries.h"
#include "explore/campaign/weak_race.h"
#include "explore/execute/executor.h"
#include "record/record.h"

namespace snarl::explore {

// A failure with a signature that was not seen before, after the attempt to confirm it.
struct FailedRun {
  record::RunRecord record;
  Confirmation confirmation;
  std::string signature;
  uint64_t schedules_before = 0;
  uint64_t switches_before = 0;  // the record is a shorter run: switches of the one that was found; 0: it is that one
  double seconds = 0;            // since the start
  explain::Cause cause = {};     // as the confirmation shows it
};

class FailureCheck {
 public:
  // `seconds` for each time that failures are looked at; 0: no fresh process is started. Runs are pinned to `cpu`.
  // `tell` hears how far shortening and explaining have come.
  FailureCheck(Executors& executors, int cpu, double seconds, int stop_fd, TryTeller::Tell tell = {})
      : executors_(executors), cpu_(cpu), seconds_(seconds), stop_fd_(stop_fd), tell_(std::move(tell)) {}

  // The time begins.
  void begin();
  // When it is over.
  const Stop& stop() const { return stop_; }

  // A run that shows that a possible race is one, if it is found: both threads stand at their accesses, or only weak
  // memory orders keep them from it.
  std::optional<record::RunRecord> show_race(const record::RunRecord& record, const Setup& replays);
  // `replays`: how the program is run. The record may become that of a serial run (confirm).
  Confirmation try_again(record::RunRecord& record, const Setup& replays);
  // The examination, if our patches made the failure. If that stays open, the failure is no longer confirmed.
  std::optional<Examination> blame_patches(FailedRun& failure, const Setup& replays);
  // A shorter run takes the place of the one that was found if a fresh process confirms it, too.
  void shorten(FailedRun& failure, const Setup& replays);
  void find_cause(FailedRun& failure, const Setup& replays);

 private:
  Executors& executors_;
  int cpu_;
  double seconds_;
  int stop_fd_;
  TryTeller::Tell tell_;
  Stop stop_;
  WeakRaces weak_races_;
};

}  // namespace snarl::explore
