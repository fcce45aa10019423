// Which schedule is run next, and what the finished ones add up to. Pure: no process, no clock.
//
// A rota says which policy has index i. The profile (n, k, shared places, counts) is frozen per epoch: it changes only
// at fixed indices, when all runs below are finished, and from what they showed. So the decisions of (seed, index)
// don't depend on the number of workers (docs/rules.md, rule 13).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "explore/campaign/exhaustion.h"
#include "explore/campaign/saturation.h"
#include "explore/execute/executor.h"
#include "policy/policy.h"
#include "record/own_stacks.h"
#include "record/record.h"
#include "schedule/bound.h"
#include "schedule/epochs.h"
#include "schedule/rota.h"

namespace snarl::explore {

// A plan with `ranges` hands out ranges of runs, one range at a time. Only library mode has such a plan: there one
// process makes the runs of a range without asking, and leaves a sum instead of records. Five rules follow, and hold
// for no other plan:
// - No record says what policies count. Profiling runs count anew for each epoch (next_range).
// - No record says which schedules were distinct, or that a policy has no new ones. The range's sum says both
//   (finished, is_exhausted).
// - No record says which runs met our mechanisms. So k is the most steps of all runs (learn).
// - A failing run ends the process, and a range may have one at each index. A profiling run that fails ends the
//   profiling, because the size of what fails is of no use (end_profiling).
// - Runs that shared a process may depend on each other. So samples are made again as each range comes back, and not
//   at the end (explore/campaign/range_check.h).
struct CampaignPlan {
  uint64_t seed = 0;
  std::vector<PolicySpec> policies;               // at least one
  Rota rota = {};                                 // which of them has which index
  uint32_t sync_only = 0;                         // a bit for each policy: its runs have no memory points
  std::vector<PolicySpec> profilers;              // policies of the profiling runs; one run each
  uint64_t schedules = 0;                         // 0: no limit
  bool keep_going = false;                        // don't stop at the first failure
  bool ranges = false;                            // see above
  bool orders = true;                             // counts partial orders
  bool needs_hooks = false;                       // somebody asked for what needs hooks at accesses
  std::optional<double> fairness = std::nullopt;  // none: min(1/1000, 0.05/k)
};

// A finished run, for the self-check.
struct Sample {
  RunOrder order;
  OutcomeKind outcome = OutcomeKind::kNone;
  Step steps = 0;
  uint64_t decision_hash = 0;
};

struct EpochProfile {
  uint64_t first_index = 0;
  Profile profile;
  size_t groups = 0;  // known, of the kinds that some policy needs
};

struct PolicyTally {
  PolicySpec policy;
  uint64_t schedules = 0;
  uint64_t failing = 0;
  double seconds = 0;                                                           // of its runs
  std::set<uint64_t> failing_at = {};                                           // indices
  std::array<uint64_t, static_cast<size_t>(Obedience::kCount)> obedience = {};  // obey only
  std::optional<PctBound> bound = {};                                           // pct and ppct only: every run counts
};

class Campaign {
 public:
  static constexpr size_t kSamples = 20;
  static constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

  // `settings`: of every run; the campaign adds what it chooses for each.
  explicit Campaign(CampaignPlan plan, const RunSettings& settings = {});

  // The next run; none if nothing can be handed out (now). While failures are being looked at, the
  // explorer wants `only_again`: the lost runs that are still missing.
  std::optional<RunOrder> next(bool only_again = false);
  // Every order comes back here exactly once. A lost run (outcome kNone) is handed out again, as `losses` tells.
  // `fails`: the run has a failure that counts.
  void finished(const RunOrder& order, const record::RunRecord& record, bool fails);
  // A range comes back as a sum. The run that ended its process is not in it: that has an order of its own from then
  // on, which is to be finished, too.
  void finished(const RunOrder& range, const RangeSum& sum);
  void ended_range(const RunOrder& order);
  // The order was not begun: it will be handed out again, unless a failure below comes first.
  void give_back(const RunOrder& order);
  // The run was not what its order says: it will be handed out again.
  void take_back(const RunOrder& order);
  // The order is given up, and will not come back: its run is missing.
  void drop(const RunOrder& order);
  // A run that was said to fail does not: all that is wrong with it is to be ignored.
  void forgive(const RunOrder& order);

  // Hands out nothing more, until resume() for those that a failure stopped.
  void stop() { stopped_ = true; }
  void resume() { limit_ = kNoLimit; }
  bool done() const { return outstanding() == 0 && again_.empty() && !more() && !has_given_back(); }
  size_t outstanding() const { return running_.size() + profiling_ + (in_range_ ? 1 : 0); }
  // All runs with a smaller index are finished.
  uint64_t finished_below() const {
    const uint64_t begun = running_.empty() ? next_ : *running_.begin();
    return given_back_.empty() ? begun : std::min(begun, given_back_.begin()->first);
  }
  // The profiling runs are over, and nothing else has begun.
  bool just_profiled() const {
    return profilings_ == profilings() && profiling_ == 0 && again_.empty() && next_ == 0 && !dropped_profiling_;
  }

  uint64_t schedules() const { return schedules_; }
  uint64_t failing() const { return failing_; }
  // Some run failed, forgiven or not: what comes after a failure is hidden by it.
  bool any_failed() const { return any_failed_; }
  // Some run of pct or ppct had a timed wait.
  bool saw_deadlines() const { return saw_deadlines_; }
  // Parallel runs have no hash, and do not count.
  uint64_t distinct() const { return plan_.ranges ? distinct_ : hashes_.size(); }
  // Partial orders, of the runs that have a hash of theirs.
  uint64_t distinct_orders() const { return saturation_.distinct(); }
  report::SeenOrders orders() const { return saturation_.sum_up(next_); }
  // Runs that used up their step budget and did not fail, and the most steps that one of them took.
  uint64_t too_long() const { return too_long_; }
  Step longest() const { return longest_; }
  // The policy (by its place in the plan) has no more schedules, or draws none that is new.
  bool is_exhausted(size_t policy) const;
  bool is_exhausted() const;
  uint64_t lost() const { return lost_; }
  // Deadlines that came while a thread could run, and the schedules that had one.
  uint64_t chosen_deadlines() const { return chosen_deadlines_; }
  uint64_t with_chosen_deadline() const { return with_chosen_deadline_; }
  uint32_t most_threads() const { return threads_; }
  Step most_steps() const { return steps_; }
  // Schedules with a point at every plain access, and the steps of the longest; if there are none, an estimate.
  uint64_t all_memory_schedules() const { return all_schedules_; }
  Step most_all_memory_steps() const { return all_steps_; }
  // Loops without schedule points that threads were stopped in.
  record::SpinLoops spin_loops() const;
  // Of a run that loaded as much code as any other.
  const wire::Patched& patched() const { return patched_; }
  const std::vector<PolicyTally>& tallies() const { return tallies_; }
  const Rota& rota() const { return plan_.rota; }
  const std::vector<EpochProfile>& epochs() const { return epochs_; }
  // Those finished runs with the smallest mix64(index): a choice that does not depend on timing.
  std::vector<Sample> samples() const;
  // Indices 0 .. handed_out() - 1 were handed out; these have not come back with an outcome.
  uint64_t handed_out() const { return next_; }
  std::set<uint64_t> missing() const;
  // The groups that were met, if a policy needs them; all but the ones of a run under way.
  const record::GroupTable& groups() const { return groups_; }
  // From now on, the policy's runs are handed these groups only.
  void name_groups(size_t policy, record::GroupNames groups);
  // A profiling run ended in another way than by an exit.
  bool profiling_crashed() const { return profiling_crashed_; }

 private:
  bool learns() const { return learns_places(settings_.points); }
  // Where places are learned, or loads of spin loops, the first half of the profiling runs finds them, and the other
  // shows how many steps a run has with them.
  size_t first_profilings() const { return plan_.profilers.size() * (learns() || spins_at_first_ ? 2 : 1); }
  size_t profilings() const { return first_profilings() + recounts_; }
  RunOrder order_for(uint64_t index) const;
  bool is_sync_only(size_t policy) const { return (plan_.sync_only >> policy & 1) != 0; }
  void order_memory(RunOrder& order) const;
  void order_pairs(RunOrder& order) const;
  uint64_t turns_before_epoch(const RunOrder& order) const;
  void freeze_pairs();
  void freeze_spin_loads();
  void note_spin_loops(const RunOrder& order, const record::RunRecord& record);
  void note_tried_pairs();
  bool counts_at(const RunOrder& order) const;
  bool hashes_order(const RunOrder& order) const;
  bool more() const;
  bool has_given_back() const { return !stopped_ && !given_back_.empty() && given_back_.begin()->first <= limit_; }
  RunOrder take_given_back();
  bool at_look() const { return next_ % Exhaustion::kInterval == 0 && next_ != looked_at_; }
  bool has_turns_left(size_t policy) const;
  bool skip_exhausted();
  bool is_too_long(const record::RunRecord& record) const;
  bool shows_new_point(const record::RunRecord& record) const;
  bool at_boundary() const { return next_ == boundary_; }
  void look();
  void begin_epoch();
  std::optional<RunOrder> next_profiling();
  std::optional<RunOrder> next_range();
  std::shared_ptr<const wire::BatchOrder> range_from(const RunOrder& first);
  bool needs(bool policy::Traits::*what) const;
  bool has_all_points(const PolicySpec& policy) const;
  std::shared_ptr<const record::GroupNames> groups_for(size_t policy) const;
  Profile profile_for(const PolicySpec& policy, uint64_t turn) const;
  double fairness_for(const Profile& profile) const;
  void learn(const RunOrder& order, const record::RunRecord& record);
  void learn(const wire::BatchState& state);
  void end_profiling();
  void tally(const RunOrder& order, const record::RunRecord& record, bool fails);
  void sample(const RunOrder& order, const record::RunRecord& record);

  CampaignPlan plan_;
  RunSettings settings_;
  bool stopped_ = false;
  bool any_failed_ = false, saw_deadlines_ = false;
  uint64_t next_ = 0;          // the smallest index that was not handed out
  uint64_t boundary_ = 0;      // the index at which the next epoch begins
  uint64_t limit_ = kNoLimit;  // the smallest failing index: nothing above is handed out
  size_t profilings_ = 0;      // profiling runs handed out ...
  size_t profiling_ = 0;       // ... and not yet finished
  size_t recounts_ = 0;        // of them, those that count anew for an epoch of ranges ...
  uint64_t recounted_at_ = 0;  // ... which begins at this index
  bool profiling_crashed_ = false, dropped_profiling_ = false;
  bool in_range_ = false;          // one is out
  bool range_exhausted_ = false;   // by what a range said
  bool shows_new_points_ = false;  // the last one did: what was drawn before says little about schedules to come
  uint64_t distinct_ = 0;          // of ranges
  std::set<uint64_t> running_;
  std::set<uint64_t> dropped_;
  std::deque<RunOrder> again_;               // lost runs
  std::map<uint64_t, RunOrder> given_back_;  // by index; at those from the largest on, nothing was handed out yet

  record::CountTables counted_, all_counted_;  // so far; the latter with a point at every plain access
  std::shared_ptr<const record::CountTables> counts_, all_counts_;  // the same, as they were at the start of the epoch
  uint32_t learned_ = 0;  // kinds of groups that some policy needs: 1 << GroupBy
  record::GroupTable groups_;
  std::array<std::shared_ptr<const record::GroupNames>, kGroupings> known_groups_;  // the same, frozen per epoch
  std::map<size_t, std::shared_ptr<const record::GroupNames>> named_groups_;        // by policy
  bool needs_pairs_ = false;
  record::PairTable pairs_;
  std::shared_ptr<const record::SitePairs> known_pairs_;  // the same, frozen per epoch
  record::SharedPlaces seen_places_;
  std::shared_ptr<const record::SharedPlaces> places_;  // the same, as it was at the start of the epoch
  record::SharedPlaces seen_spin_loads_;
  std::shared_ptr<const record::SharedPlaces> spin_loads_;                   // the same, frozen per epoch; null: none
  std::map<std::pair<std::string, uint64_t>, record::SpinLoop> spin_loops_;  // by place
  bool spins_at_first_ = false;                                              // in the first half of the profiling runs
  uint32_t threads_ = 1, at_once_ = 1;                                       // the most seen
  record::OwnStackTable own_stacks_;
  Step steps_ = 1;
  Step unmarked_steps_ = 0;       // of runs that met none of our mechanisms: spin rounds are not steps to plan with
  Step busy_steps_ = 0;           // of the others, without the rounds of their spin loops ...
  Step busy_steps_of_epoch_ = 0;  // ... frozen; 0: there are unmarked ones
  Step all_steps_ = 0;  // of runs with a point at every plain access; until there are some, an estimate; 0: none
  Step all_steps_of_epoch_ = 0;
  uint64_t all_schedules_ = 0;
  wire::Patched patched_;
  uint64_t schedules_ = 0, failing_ = 0, lost_ = 0, too_long_ = 0;
  uint64_t chosen_deadlines_ = 0, with_chosen_deadline_ = 0;
  Step longest_ = 0;
  std::unordered_map<uint64_t, uint64_t> hashes_;  // of schedules, each with the smallest index that had it
  Exhaustion exhaustion_;
  Saturation saturation_;
  std::vector<uint64_t> said_turns_, turns_;  // by policy: schedules that it said it has, and what of it is honoured
  uint64_t looked_at_ = 0;                    // the index at which exhaustion_ last looked
  std::vector<PolicyTally> tallies_;
  std::vector<EpochProfile> epochs_;
  struct BySample {
    bool operator()(const Sample& a, const Sample& b) const;
  };
  std::set<Sample, BySample> samples_;
};

}  // namespace snarl::explore
