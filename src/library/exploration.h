// Explores a body: the loop of library mode, in the test's own process.
//
// As explore/campaign/explorer does for programs, with the same indices, policies and epochs; but many schedules are
// ordered at once, and a child runs them without asking, as long as the body leaves no state behind (reset none).
// Single-threaded.
#pragma once

#include <optional>
#include <string>

#include "library/body_result.h"
#include "library/runner.h"
#include "schedule/replay_string.h"

namespace snarl::library {

class BodyExploration {
 public:
  BodyExploration(const Settings& settings, SharedMemory memory, const runtime::Body& body);

  Expected<BodyResult> explore();
  Expected<BodyResult> replay(const Replay& recorded);

 private:
  double elapsed() const;
  bool is_over() const;
  Status profile();
  Status profile_with(Learning learning, uint64_t first);
  void learn(const record::RunRecord& record);
  bool learns_places() const;
  bool needs_counts() const;
  bool needs_parent() const;
  uint32_t policies_with_all_points() const;
  Status begin_epoch();
  Status run_batch(bool one);
  Status check_samples(const wire::BatchOrder& order, const wire::BatchState& state);
  bool learn_places();
  void tally(const wire::BatchState& state);
  Status look_at(record::RunRecord failed);
  void note_too_long(uint64_t schedules, Step longest);
  std::optional<Error> nothing_tested() const;
  BodyOrder order_to_follow(const record::RunRecord& failed) const;
  void fork_from_now_on(const std::string& why);
  std::string tested() const;
  std::string unseen() const;
  void finish();

  const Settings& settings_;
  BodyRunner runner_;
  BodyResult result_;
  bool stays_;
  bool crashed_ = false;           // a profiling run failed
  bool exhausted_ = false;         // no policy draws a schedule that is new
  int losses_ = 0;                 // processes that were killed from outside in the schedule `next_`
  uint64_t next_ = 0;              // the first index that was not run
  uint64_t boundary_ = 0;          // of the epoch
  Profile profile_, all_profile_;  // of the epoch; the latter for runs with a point at every plain access
  uint32_t all_memory_ = 0;        // policies that have such runs
  Step all_steps_ = 0;             // of those runs; until there are some, an estimate
  record::CountTables counts_;
  record::SharedPlaces seen_places_;
  double began_;
};

}  // namespace snarl::library
