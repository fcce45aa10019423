#include "explore/campaign/explorer.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <set>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "explain/diagnose/diagnose.h"
#include "explore/campaign/cross_examine.h"
#include "explore/campaign/selfcheck.h"
#include "explore/campaign/summarize.h"
#include "explore/execute/station.h"
#include "explore/execute/uncontrolled.h"
#include "explore/target/function_names.h"
#include "explore/target/policy_spec.h"
#include "os/pinned.h"
#include "os/strays.h"
#include "record/settle.h"
#include "schedule/point_levels.h"

namespace snarl::explore {
namespace {

constexpr double kProgressInterval = 0.1;  // seconds
constexpr double kMostProlonged = 10;      // times what the self-check should take: cores have other things to do, too

// Every run, and every replay, begins at the same time of day.
Setup for_all_runs(Setup setup) {
  if (setup.settings.clock_base == 0) setup.settings.clock_base = os::wall_clock();
  return setup;
}

const PolicySpec& simplest_policy(const CampaignPlan& plan) {
  return plan.profilers.empty() ? plan.policies.front() : plan.profilers.front();
}

class Explorer {
 public:
  Explorer(const Setup& setup, const ExploreOptions& options, os::Guard& guard, Observer& observer)
      : setup_(for_all_runs(setup)),
        options_(options),
        guard_(guard),
        observer_(observer),
        replays_(setup_),
        campaign_(options.plan, setup_.settings) {}

  Exploration run();

 private:
  using Lock = std::unique_lock<std::mutex>;

  double elapsed() const { return os::now_seconds() - began_; }
  Mode mode() const { return setup_.reset == wire::Reset::kFork ? Mode::kFork : Mode::kExec; }
  Status make_lanes();
  void drive_all();
  void drive(Station& station);
  Status turn(Station& station, Lock& lock);
  Status hand_out(Station& station);
  Status conclude();
  void wake_idle();
  void end();
  void fail(const Error& error);
  bool nothing_to_test();
  Status find_hooks();
  Status find_named_groups();
  Status find_named_functions();
  Status take(const RunOrder& order, record::RunRecord record);
  std::vector<std::string> note_failures(record::RunRecord& record);
  void note_failure(const std::string& signature, const record::RunRecord& record);
  void tell_notes(record::RunRecord& record);
  void need_gates(const std::string& why);
  void forgive();
  Status look_at_failures();
  Status look_at(const std::string& signature, record::RunRecord record);
  bool is_ours(const Failure& failure, int cpu, std::string& doubt);
  void take_out(const Examination& examination);
  void tell_progress();
  void finish();
  report::Repeatable check_repeatable(double spare);

  Setup setup_;  // changes only while nothing is under way
  const ExploreOptions& options_;
  os::Guard& guard_;
  const os::Strays strays_;
  std::vector<Station> stations_;  // each of them its thread's

  std::mutex mutex_;  // all below, and the observer
  Observer& observer_;
  Setup replays_;  // as runs have shown that it must be
  Campaign campaign_;
  std::set<Station*> idle_;      // wait for others
  std::set<Station*> outdated_;  // their processes have patches that were taken out since
  Exploration result_;
  std::map<std::string, record::RunRecord> pending_;  // by signature: new failures that were not looked at yet
  std::set<std::string> suppressed_;                  // signatures that are no longer looked at
  struct Undecided {
    RunOrder order;
    std::vector<std::string> signatures;
  };
  std::vector<Undecided> undecided_;  // failing runs of which some signature has not been looked at
  std::string obstacle_;              // to fibers
  bool over_ = false;
  bool named_groups_found_ = false, named_functions_found_ = false;
  uint64_t matched_ = 0;               // wire::Patched, of all runs
  bool hooked_ = false;                // RunRecord, of all runs
  double run_seconds_ = 0, runs_ = 0;  // of profiling runs, too
  double began_ = 0, cpu_began_ = 0;
  double told_ = 0, told_schedules_ = 0, rate_ = 0;
};

Exploration Explorer::run() {
  began_ = os::now_seconds();
  cpu_began_ = os::cpu_seconds();
  if (Status made = make_lanes(); made)
    drive_all();
  else
    result_.error = made.error();
  finish();
  strays_.reap({guard_.pid()});
  return std::move(result_);
}

Status Explorer::make_lanes() {
  for (int cpu : options_.cpus) {
    Expected<Station> station = Station::create(setup_, guard_, strays_, mode(), cpu);
    if (!station) return station.error();
    stations_.push_back(std::move(*station));
  }
  return Done{};
}

// Ours is the first station. The other threads begin before we are pinned, which they would inherit.
void Explorer::drive_all() {
  std::vector<std::jthread> others;  // joined when we are done
  try {
    for (Station& station : std::span(stations_).subspan(1))
      others.emplace_back(&Explorer::drive, this, std::ref(station));
  } catch (const std::system_error&) {
    const Lock lock(mutex_);
    fail({"can't start a thread for every worker", "use fewer (-j)", 125});
  }
  drive(stations_.front());
}

void Explorer::drive(Station& station) {
  const os::Pinned pinned(station.cpu());
  for (Lock lock(mutex_); !over_;)
    if (Status status = turn(station, lock); !status) fail(status.error());
  station.close();
}

// One turn of a station's event loop. The lock is open while it is at work, or waits for the others.
Status Explorer::turn(Station& station, Lock& lock) {
  if (elapsed() > options_.seconds) campaign_.stop();
  if (!station.busy()) {
    if (Status handed = hand_out(station); !handed) return handed;
    if (campaign_.outstanding() == 0) return conclude();
    if (!station.busy()) idle_.insert(&station);
  }
  lock.unlock();
  Expected<std::optional<record::RunRecord>> done =
      station.work(options_.stop_fd, os::now_seconds() + kProgressInterval);
  lock.lock();
  idle_.erase(&station);
  if (!done) return done.error();
  if (station.told_to_stop()) result_.interrupted = true, end();
  if (over_) return Done{};
  if (done->has_value())
    if (Status taken = take(station.ordered(), std::move(**done)); !taken) return taken;
  tell_progress();
  station.reap_strays();
  return Done{};
}

Status Explorer::hand_out(Station& station) {
  if (outdated_.erase(&station) != 0)
    if (Status renewed = station.renew(setup_, guard_, mode()); !renewed) return renewed;
  if (nothing_to_test()) return Done{};
  if (Status found = find_hooks(); !found) return found;
  if (Status found = find_named_functions(); !found) return found;
  if (Status found = find_named_groups(); !found) return found;
  if (std::optional<RunOrder> order = campaign_.next(!pending_.empty())) {
    order->on_gates = !obstacle_.empty();
    order->most_until = began_ + options_.seconds;
    station.order(std::move(*order));
  }
  return Done{};
}

// Nothing is under way, and nothing can be until the failures have been looked at.
Status Explorer::conclude() {
  if (Status looked = look_at_failures(); !looked) return looked;
  if (over_ || campaign_.done()) end();
  wake_idle();
  return Done{};
}

// There may be something for them now.
void Explorer::wake_idle() {
  for (Station* station : std::exchange(idle_, {})) station->ring();
}

void Explorer::end() {
  over_ = true;
  for (Station& station : stations_) station.ring();
}

// What another thread said first, stays.
void Explorer::fail(const Error& error) {
  if (!result_.error) result_.error = error;
  end();
}

// A program that never had a second thread has one schedule. One that crashes is worth a finding all the same.
bool Explorer::nothing_to_test() {
  if (!campaign_.just_profiled() || campaign_.most_threads() > 1 || campaign_.profiling_crashed()) return false;
  result_.one_thread = true;
  campaign_.stop();
  return true;
}

// Only runs show which files are loaded, and whether hooks in them have found us.
Status Explorer::find_hooks() {
  return campaign_.just_profiled() ? check_hooks(setup_.settings.points, hooked_) : Status(Done{});
}

// Variables that the user names are looked for among those that the profiling runs met.
Status Explorer::find_named_groups() {
  if (!campaign_.just_profiled() || named_groups_found_) return Done{};
  named_groups_found_ = true;
  for (size_t i = 0; i < options_.plan.policies.size(); ++i) {
    const PolicySpec& policy = options_.plan.policies[i];
    if (policy_name(policy) != "noise-contention" || policy.file[0] == '\0') continue;
    Expected<record::GroupNames> found = record::groups_named(policy.file, campaign_.groups().of(GroupBy::kVariable));
    if (!found) return found.error();
    campaign_.name_groups(i, std::move(*found));
  }
  return Done{};
}

// Only runs show which files are loaded.
Status Explorer::find_named_functions() {
  if (setup_.functions.empty() || !campaign_.just_profiled() || named_functions_found_) return Done{};
  named_functions_found_ = true;
  return check_all_matched(setup_, matched_, guard_);
}

Status Explorer::take(const RunOrder& order, record::RunRecord record) {
  wake_idle();  // they come to it when we have left
  if (record::is_internal_error(record)) return Error{"the runtime failed: " + record.err};
  if (record.outcome == OutcomeKind::kRefused) return Error{record.message, {}, 4};
  if (order.losses + 1 == record::kMostLosses) record::settle_lost(record);
  run_seconds_ += record.seconds;
  ++runs_;
  matched_ |= record.patched.matched;
  hooked_ |= record.hooked;
  if (!record.obstacle.empty()) need_gates(record.obstacle);
  if (order.profiling) {
    campaign_.finished(order, record, explain::fails(record));
    return Done{};
  }
  std::vector<std::string> signatures = note_failures(record);
  campaign_.finished(order, record, !signatures.empty());
  const bool decided = std::ranges::none_of(signatures, [&](const auto& s) { return pending_.contains(s); });
  if (!decided) undecided_.push_back({order, std::move(signatures)});
  tell_notes(record);
  return Done{};
}

// Workers that have not noticed yet need not find out by themselves, nor need confirmations.
void Explorer::need_gates(const std::string& why) {
  replays_.switching = Switching::kGates;
  obstacle_ = why;
}

// All that is wrong with the run and not suppressed.
std::vector<std::string> Explorer::note_failures(record::RunRecord& record) {
  std::vector<std::string> signatures;
  std::set<std::string> seen;
  for (int subject : explain::failures_of(record)) {
    record.subject = subject;
    const std::string signature = explain::signature_of(record);
    if (!seen.insert(signature).second) continue;
    note_failure(signature, record);
    if (!suppressed_.contains(signature)) signatures.push_back(signature);
  }
  record.subject = -1;
  return signatures;
}

void Explorer::tell_notes(record::RunRecord& record) {
  for (size_t i = 0; i < record.misuses.size(); ++i) {
    record.subject = static_cast<int>(i);
    if (record.misuses[i].what.kind != MisuseKind::kExitHolding) continue;
    const std::string signature = explain::signature_of(record);
    if (++result_.seen[signature].schedules == 1) observer_.on_note(record, signature);
  }
  record.subject = -1;
}

// Keeps, of each new signature, the failure with the smallest index.
void Explorer::note_failure(const std::string& signature, const record::RunRecord& record) {
  Seen& seen = result_.seen[signature];
  seen.by_policy.resize(options_.plan.policies.size());
  ++seen.by_policy[record.key.index % seen.by_policy.size()];
  const bool looked_at = seen.schedules++ != 0 && !pending_.contains(signature);
  if (looked_at) return;
  const auto [at, is_new] = pending_.try_emplace(signature, record);
  if (!is_new && record.key.index < at->second.key.index) at->second = record;
}

// Everything has been looked at: runs that failed only by what is suppressed did not fail.
void Explorer::forgive() {
  for (const Undecided& run : undecided_)
    if (std::ranges::all_of(run.signatures, [&](const auto& s) { return suppressed_.contains(s); }))
      campaign_.forgive(run.order);
  undecided_.clear();
}

// Called when nothing is running: all runs below the failures are finished, so that the order, and
// with it what is reported, does not depend on the number of workers.
Status Explorer::look_at_failures() {
  uint64_t index = 0;
  while (!pending_.empty()) {
    const auto first = std::min_element(pending_.begin(), pending_.end(), [](const auto& a, const auto& b) {
      return std::pair(a.second.key.index, unsigned(a.second.subject)) <
             std::pair(b.second.key.index, unsigned(b.second.subject));
    });
    if (over_ && first->second.key.index != index) break;  // all that is wrong with the run that was found is told
    index = first->second.key.index;
    auto node = pending_.extract(first);
    if (Status looked = look_at(node.key(), std::move(node.mapped())); !looked) return looked;
  }
  forgive();
  campaign_.resume();
  return Done{};
}

Status Explorer::look_at(const std::string& signature, record::RunRecord record) {
  const bool all_failed = campaign_.failing() == campaign_.schedules();
  const int other_core = options_.cpus.back();
  Failure failure;
  failure.schedules_before = record.key.index;
  failure.seconds = elapsed();
  failure.signature = signature;
  failure.confirmation = confirm(record, replays_, guard_, other_core, options_.stop_fd);
  failure.record = std::move(record);
  if (is_ours(failure, other_core, failure.confirmation.doubt)) return Done{};
  if (!failure.confirmation.doubt.empty()) failure.confirmation.confirmed = false;
  const Expected<Verdict> verdict = observer_.on_failure(failure);
  if (!verdict) return verdict.error();
  if (*verdict == Verdict::kSuppressed) {
    suppressed_.insert(signature);
    return Done{};
  }
  if (!failure.confirmation.confirmed) {
    ++result_.summary.unconfirmed;
    return Done{};
  }
  const bool first = ++result_.confirmed == 1;
  if (first && all_failed && failure.record.subject < 0)
    result_.fails_anyway = fails_anyway(replays_, simplest_policy(options_.plan), options_.plan.seed, guard_,
                                        other_core, options_.stop_fd);
  if (!options_.plan.keep_going) over_ = true;
  return Done{};
}

// A crash that our patches made is no finding: they are taken out, and the exploration begins anew.
bool Explorer::is_ours(const Failure& failure, int cpu, std::string& doubt) {
  if (!failure.confirmation.replay || !is_to_be_examined(failure.record)) return false;
  const Examination examination = cross_examine(failure.record, replays_, guard_, cpu, options_.stop_fd);
  if (examination.verdict == Examination::Verdict::kOpen && failure.confirmation.confirmed)
    doubt = "it fails so with snarl's patches; whether it does without them is open, as " + examination.why;
  if (examination.verdict != Examination::Verdict::kOurs) return false;
  result_.seen.erase(failure.signature);
  take_out(examination);
  return true;
}

// Everything is as if they had never been made, but for the time that it took and for what was reported.
void Explorer::take_out(const Examination& examination) {
  for (const std::string& file : examination.files) {
    result_.summary.unpatched.push_back({file, examination.why});
    setup_.unpatched.push_back(file);
    replays_.unpatched.push_back(file);
  }
  for (Station& station : stations_) outdated_.insert(&station);
  for (const auto& [signature, record] : pending_) result_.seen.erase(signature);
  pending_.clear();
  undecided_.clear();
  campaign_ = Campaign(options_.plan, setup_.settings);
  named_groups_found_ = named_functions_found_ = false;
  told_schedules_ = 0;
}

void Explorer::tell_progress() {
  const double now = elapsed();
  if (now - told_ < kProgressInterval) return;
  const auto schedules = static_cast<double>(campaign_.schedules());
  const double fresh = (schedules - told_schedules_) / (now - told_);
  rate_ = rate_ == 0 ? fresh : rate_ * 0.9 + fresh * 0.1;  // over about a second
  told_ = now;
  told_schedules_ = schedules;
  observer_.on_progress({campaign_.schedules(), campaign_.distinct(), result_.confirmed, now, rate_});
}

void Explorer::finish() {
  // The self-check may take a fifth of the time that the exploration took, and a little more for short ones.
  const double spare = elapsed() / 5 + 2;
  summarize(campaign_, options_.plan, setup_, obstacle_, result_.summary);
  result_.groups = campaign_.groups();
  result_.indices = campaign_.handed_out();
  result_.missing = campaign_.missing();
  for (const PolicyTally& tally : campaign_.tallies())
    result_.failing_at.insert(tally.failing_at.begin(), tally.failing_at.end());
  result_.summary.seconds = elapsed();
  result_.summary.cpu_seconds =
      os::cpu_seconds() - cpu_began_;  // the stations are closed: servers and copies were waited for
  result_.summary.interrupted = result_.interrupted;
  if (!result_.interrupted && !result_.error && runs_ > 0) result_.summary.repeatable = check_repeatable(spare);
}

// As many as should fit into `spare` seconds, going by what the runs took: the start of another process, which a busy
// machine draws out, is not to leave one repetition of twenty.
report::Repeatable Explorer::check_repeatable(double spare) {
  std::vector<Sample> samples = campaign_.samples();
  const size_t fit = std::min(samples.size(), repetitions_within(spare, run_seconds_ / runs_));
  samples.erase(samples.begin() + static_cast<ptrdiff_t>(fit), samples.end());
  return self_check(samples, replays_, guard_, options_.cpus.back(), spare * kMostProlonged, options_.stop_fd);
}

}  // namespace

Exploration explore(const Setup& setup, const ExploreOptions& options, os::Guard& guard, Observer& observer) {
  return Explorer(setup, options, guard, observer).run();
}

}  // namespace snarl::explore
