#include "explore/campaign/explorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <set>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "explain/group_names.h"
#include "explain/signature.h"
#include "explore/campaign/cross_examine.h"
#include "explore/campaign/open_failures.h"
#include "explore/campaign/range_check.h"
#include "explore/campaign/selfcheck.h"
#include "explore/campaign/shorten.h"
#include "explore/campaign/summarize.h"
#include "explore/execute/station.h"
#include "explore/execute/uncontrolled.h"
#include "explore/target/function_names.h"
#include "explore/target/policy_spec.h"
#include "os/pinned.h"
#include "os/strays.h"
#include "policy/catalog.h"
#include "record/settle.h"
#include "schedule/point_levels.h"

namespace snarl::explore {
namespace {

constexpr double kProgressInterval = 0.1;    // seconds
constexpr double kLastRuns = 0.5;            // seconds that runs have to end in when the time is over
constexpr double kAllInAll = 1.7;            // seconds after which everything is over: 2, but for the end of processes
constexpr double kSelfCheckShare = 1.0 / 6;  // of the time at most, if its runs are long
constexpr double kMostShortening = 10;       // seconds for the shortest schedule of one failure
constexpr double kMostProlonged = 10;  // times what the self-check should take: cores have other things to do, too

const PolicySpec& simplest_policy(const CampaignPlan& plan) {
  return plan.profilers.empty() ? plan.policies.front() : plan.profilers.front();
}

class Explorer {
 public:
  Explorer(const Setup& setup, const ExploreOptions& options, Executors& executors, Observer& observer)
      : setup_(setup),
        options_(options),
        executors_(executors),
        observer_(observer),
        replays_(setup_),
        campaign_(options.plan, setup_.settings),
        failures_(campaign_.rota(), options.plan.policies.size()) {}

  Exploration run();

 private:
  using Lock = std::unique_lock<std::mutex>;

  double elapsed() const { return os::now_seconds() - began_; }
  double time_for_runs() const;
  void give_up(Station& station);
  Status make_stations();
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
  Status take(Station& station, Came came);
  Status take(const RunOrder& order, record::RunRecord record);
  Status take_last(Station& station, record::RunRecord record);
  void try_alone(const std::string& signature, const record::RunRecord& record);
  void tell_notes(record::RunRecord& record);
  void need_gates(const std::string& why);
  Status look_at_failures();
  Status look_at(const std::string& signature, record::RunRecord record);
  Confirmation try_again(record::RunRecord& record, int cpu);
  bool is_ours(const FailedRun& failure, int cpu, std::string& doubt);
  void shorten(FailedRun& failure, int cpu);
  void take_out(const Examination& examination);
  void tell_progress();
  void finish();
  report::Repeatable check_repeatable(double spare, const Stop& stop);

  Setup setup_;  // changes only while nothing is under way
  const ExploreOptions& options_;
  Executors& executors_;
  std::optional<os::Strays> strays_;  // where there is a guard
  std::vector<Station> stations_;     // each of them its thread's

  std::mutex mutex_;  // all below, and the observer
  Observer& observer_;
  Setup replays_;  // as runs have shown that it must be
  Campaign campaign_;
  std::set<Station*> idle_;      // wait for others
  std::set<Station*> outdated_;  // their processes have patches that were taken out since
  Exploration result_;
  OpenFailures failures_;
  std::string obstacle_;  // to fibers
  bool over_ = false;
  bool named_groups_found_ = false, named_functions_found_ = false;
  uint64_t matched_ = 0;               // wire::Patched, of all runs
  bool hooked_ = false;                // RunRecord, of all runs
  double run_seconds_ = 0, runs_ = 0;  // of profiling runs, too
  Stop after_finding_;                 // when the failures under way are no longer looked at
  double began_ = 0, cpu_began_ = 0;
  double told_ = 0, told_schedules_ = 0, rate_ = 0;
};

Exploration Explorer::run() {
  began_ = os::now_seconds();
  cpu_began_ = os::cpu_seconds();
  if (Status made = make_stations(); made)
    drive_all();
  else
    result_.error = made.error();
  finish();
  if (strays_) strays_->reap({executors_.guard()->pid()});
  return std::move(result_);
}

Status Explorer::make_stations() {
  if (executors_.guard() != nullptr) strays_.emplace();
  for (int cpu : options_.cpus) {
    Expected<Station> station = Station::create(setup_, executors_, strays_ ? &*strays_ : nullptr, cpu);
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
  const double late = elapsed() - time_for_runs();
  if (late > 0) campaign_.stop();
  if (late > kLastRuns && station.busy() && executors_.guard() != nullptr) give_up(station);
  if (!station.busy()) {
    if (Status handed = hand_out(station); !handed) return handed;
    if (campaign_.outstanding() == 0) return conclude();
    if (!station.busy()) idle_.insert(&station);
  }
  lock.unlock();
  Expected<std::optional<Came>> done = station.work(options_.stop_fd, os::now_seconds() + kProgressInterval);
  lock.lock();
  idle_.erase(&station);
  if (!done) return done.error();
  if (station.told_to_stop()) result_.interrupted = true, end();
  if (over_) return Done{};
  if (done->has_value())
    if (Status taken = take(station, std::move(**done)); !taken) return taken;
  tell_progress();
  station.reap_strays();
  return Done{};
}

// The self-check comes out of the limit, if its runs take longer than the little time that it has after it. Ranges are
// checked as they come.
double Explorer::time_for_runs() const {
  if (options_.plan.ranges) return options_.seconds;
  const double mean = runs_ > 0 ? run_seconds_ / runs_ : 0;
  const double check = std::max(static_cast<double>(Campaign::kSamples) * mean - kLastRuns, 0.0);
  return options_.seconds - std::min(check, options_.seconds * kSelfCheckShare);
}

// What is under way when time is over could take as long as it likes; not in library mode, where a range ends then.
void Explorer::give_up(Station& station) {
  campaign_.drop(station.ordered());
  station.abandon();
}

Status Explorer::hand_out(Station& station) {
  if (outdated_.erase(&station) != 0)
    if (Status renewed = station.renew(setup_); !renewed) return renewed;
  if (nothing_to_test()) return Done{};
  if (Status found = find_hooks(); !found) return found;
  if (Status found = find_named_functions(); !found) return found;
  if (Status found = find_named_groups(); !found) return found;
  if (std::optional<RunOrder> order = campaign_.next(!failures_.empty())) {
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
    if (policy::info_of(policy).text == nullptr || policy.file[0] == '\0') continue;
    Expected<record::GroupNames> found = explain::groups_named(policy.file, campaign_.groups().of(GroupBy::kVariable));
    if (!found) return found.error();
    campaign_.name_groups(i, std::move(*found));
  }
  return Done{};
}

// Only runs show which files are loaded.
Status Explorer::find_named_functions() {
  if (setup_.functions.empty() || !campaign_.just_profiled() || named_functions_found_) return Done{};
  named_functions_found_ = true;
  return check_all_matched(setup_, matched_, *executors_.guard());
}

Status Explorer::take(Station& station, Came came) {
  if (!came.sum) return take(station.ordered(), std::move(*came.record));
  wake_idle();
  campaign_.finished(station.ordered(), *came.sum);
  return came.record ? take_last(station, std::move(*came.record))
                     : check_range(station.executor(), station.ordered(), *came.sum, options_.stop_fd);
}

// The run that ended the process of a range.
Status Explorer::take_last(Station& station, record::RunRecord record) {
  const RunOrder order = order_of_last(station.ordered(), record, station.executor());
  campaign_.ended_range(order);
  distrust_if_ended(station.executor(), record);
  return take(order, std::move(record));
}

// The run is made once more, in a process of its own.
void Explorer::try_alone(const std::string& signature, const record::RunRecord& record) {
  for (Station& station : stations_) distrust_failure(station.executor(), record);
  RunOrder order = failures_.withdraw(signature, record);
  order.shared = false;
  campaign_.take_back(order);
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
    if (record.outcome == OutcomeKind::kExit) result_.own_end = {record.exit_code, record.out, record.err};
    campaign_.finished(order, record, explain::fails(record));
    return Done{};
  }
  std::vector<std::string> signatures = failures_.note(record);
  campaign_.finished(order, record, !signatures.empty());
  failures_.hold(order, std::move(signatures));
  tell_notes(record);
  return Done{};
}

// Workers that have not noticed yet need not find out by themselves, nor need confirmations.
void Explorer::need_gates(const std::string& why) {
  replays_.switching = Switching::kGates;
  obstacle_ = why;
}

void Explorer::tell_notes(record::RunRecord& record) {
  for (size_t i = 0; i < record.misuses.size(); ++i) {
    record.failure = record::Failure::misuse(i);
    if (record.misuses[i].what.kind != MisuseKind::kExitHolding) continue;
    const std::string signature = explain::signature_of(record);
    if (failures_.note_harmless(signature)) observer_.on_note(record, signature);
  }
  record.failure = {};
}

// Called when nothing is running: all runs below the failures are finished, so that the order, and
// with it what is reported, does not depend on the number of workers.
Status Explorer::look_at_failures() {
  uint64_t index = 0;
  after_finding_ = Stop(options_.stop_fd, os::now_seconds() + options_.after_finding);
  while (!failures_.empty()) {
    if (over_ && failures_.first_index() != index) break;  // all that is wrong with the run that was found is told
    index = failures_.first_index();
    auto [signature, record] = failures_.take_first();
    if (Status looked = look_at(signature, std::move(record)); !looked) return looked;
  }
  for (const RunOrder& order : failures_.decide()) campaign_.forgive(order);
  campaign_.resume();
  return Done{};
}

Confirmation Explorer::try_again(record::RunRecord& record, int cpu) {
  if (options_.after_finding == 0) return {.doubt = "no fresh process was to try it (--after-finding 0)"};
  Confirmation result = confirm(record, replays_, executors_, cpu, after_finding_);
  if (!result.confirmed && !result.replay && after_finding_.is_late())
    result.doubt = fmt::format("no fresh process failed so within {:.3g} s (--after-finding)", options_.after_finding);
  return result;
}

Status Explorer::look_at(const std::string& signature, record::RunRecord record) {
  const bool all_failed = campaign_.failing() == campaign_.schedules();
  const int other_core = options_.cpus.back();
  FailedRun failure;
  failure.schedules_before = record.key.index;
  failure.seconds = elapsed();
  failure.signature = signature;
  failure.confirmation = try_again(record, other_core);
  failure.record = std::move(record);
  if (!failure.confirmation.confirmed && failures_.was_shared(failure.record)) {
    try_alone(signature, failure.record);
    return Done{};
  }
  if (is_ours(failure, other_core, failure.confirmation.doubt)) return Done{};
  if (!failure.confirmation.doubt.empty()) failure.confirmation.confirmed = false;
  if (options_.shorten && failure.confirmation.confirmed) shorten(failure, other_core);
  const Expected<Judgement> judgement = observer_.on_failure(failure);
  if (!judgement) return judgement.error();
  if (*judgement == Judgement::kSuppressed) {
    failures_.suppress(signature);
    return Done{};
  }
  if (*judgement == Judgement::kEnough) over_ = true;
  if (!failure.confirmation.confirmed) {
    ++result_.summary.unconfirmed;
    return Done{};
  }
  const bool first = ++result_.confirmed == 1;
  if (first && all_failed && failure.record.failure.kind == record::FailureKind::kOutcome &&
      executors_.guard() != nullptr)
    result_.fails_anyway = fails_anyway(replays_, simplest_policy(options_.plan), options_.plan.seed, executors_,
                                        other_core, after_finding_);
  if (!options_.plan.keep_going) over_ = true;
  return Done{};
}

// A failure that our patches made is not a finding: they are taken out, and the exploration begins anew.
bool Explorer::is_ours(const FailedRun& failure, int cpu, std::string& doubt) {
  if (!failure.confirmation.replay || !is_to_be_examined(failure.record) || executors_.guard() == nullptr) return false;
  const Examination examination = cross_examine(failure.record, replays_, executors_, cpu, after_finding_);
  if (examination.verdict == Examination::Verdict::kOpen && failure.confirmation.confirmed)
    doubt = "it fails so with snarl's patches; whether it does without them is open, as " + examination.why;
  if (examination.verdict != Examination::Verdict::kOurs) return false;
  failures_.forget(failure.signature);
  take_out(examination);
  return true;
}

// A shorter run takes the place of the one that was found if a fresh process confirms it, too.
void Explorer::shorten(FailedRun& failure, int cpu) {
  const Stop stop(options_.stop_fd, std::min(after_finding_.at, os::now_seconds() + kMostShortening));
  std::optional<record::RunRecord> shorter = explore::shorten(failure.record, replays_, executors_, cpu, stop);
  if (!shorter) return;
  Confirmation again = confirm(*shorter, replays_, executors_, cpu, after_finding_);
  if (!again.confirmed) return;
  failure.switches_before = failure.record.switches;
  failure.record = std::move(*shorter);
  failure.confirmation = std::move(again);
}

// Everything is as if they had never been made, but for the time that it took and for what was reported.
void Explorer::take_out(const Examination& examination) {
  for (const std::string& file : examination.files) {
    result_.summary.unpatched.push_back({file, examination.why});
    setup_.unpatched.push_back(file);
    replays_.unpatched.push_back(file);
  }
  for (Station& station : stations_) outdated_.insert(&station);
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
  observer_.on_progress({.schedules = campaign_.schedules(),
                         .distinct = campaign_.distinct(),
                         .orders = campaign_.distinct_orders(),
                         .findings = result_.confirmed,
                         .seconds = now,
                         .rate = rate_,
                         .limit = std::isfinite(options_.seconds) ? options_.seconds : 0,
                         .most_schedules = options_.plan.schedules});
}

void Explorer::finish() {
  // The self-check may take a fifth of the time that the exploration took, and a little more for short ones.
  const Stop stop(options_.stop_fd, std::max(began_ + options_.seconds, os::now_seconds()) + kAllInAll);
  const double spare = elapsed() / 5 + 2;
  summarize(campaign_, options_.plan, setup_, obstacle_, result_.summary);
  result_.seen = failures_.seen();
  result_.groups = campaign_.groups();
  result_.indices = campaign_.handed_out();
  result_.missing = campaign_.missing();
  for (const PolicyTally& tally : campaign_.tallies())
    result_.failing_at.insert(tally.failing_at.begin(), tally.failing_at.end());
  result_.summary.seconds = elapsed();
  result_.summary.cpu_seconds =
      os::cpu_seconds() - cpu_began_;  // the stations are closed: servers and copies were waited for
  result_.summary.interrupted = result_.interrupted;
  if (!result_.interrupted && !result_.error && runs_ > 0) result_.summary.repeatable = check_repeatable(spare, stop);
}

// As many as should fit into `spare` seconds, going by what the runs took: the start of another process, which a busy
// machine draws out, is not to leave one repetition of twenty. Ranges were checked when they came back.
report::Repeatable Explorer::check_repeatable(double spare, const Stop& stop) {
  std::vector<Sample> samples = campaign_.samples();
  const size_t fit = std::min(samples.size(), repetitions_within(spare, run_seconds_ / runs_));
  samples.erase(samples.begin() + static_cast<ptrdiff_t>(fit), samples.end());
  if (options_.plan.ranges) return {};
  Expected<std::unique_ptr<Executor>> fresh = executors_.make(replays_, mode_of(replays_), options_.cpus.back());
  return fresh ? self_check(samples, **fresh, spare * kMostProlonged, stop) : report::Repeatable();
}

}  // namespace

Exploration explore(const Setup& setup, const ExploreOptions& options, Executors& executors, Observer& observer) {
  return Explorer(setup, options, executors, observer).run();
}

}  // namespace snarl::explore
