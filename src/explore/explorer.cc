#include "explore/explorer.h"

#include <algorithm>
#include <set>
#include <utility>

#include "explore/diagnose.h"
#include "explore/function_names.h"
#include "explore/policy_spec.h"
#include "explore/selfcheck.h"
#include "explore/settle.h"
#include "explore/strays.h"
#include "explore/summarize.h"
#include "explore/uncontrolled.h"

namespace snarl {
namespace {

constexpr double kProgressInterval = 0.1;  // seconds
constexpr double kStrayInterval = 1;

class Explorer {
 public:
  Explorer(const Setup& setup, const ExploreOptions& options, Guard& guard, Observer& observer)
      : setup_(setup), options_(options), guard_(guard), observer_(observer), campaign_(options.plan) {
    if (setup_.clock_base == 0) setup_.clock_base = wall_clock();
  }

  Exploration run();

 private:
  struct Place {
    std::unique_ptr<Worker> worker;
    Ticket ticket;  // of the run under way
  };

  double elapsed() const { return now_seconds() - began_; }
  Status make_workers();
  Status turn();
  Status hand_out();
  bool nothing_to_test();
  Status find_named_groups();
  Status find_named_functions();
  void wait();
  Status advance();
  Status take(const Ticket& ticket, RunRecord record);
  std::vector<std::string> note_failures(RunRecord& record);
  void note_failure(const std::string& signature, const RunRecord& record);
  void tell_notes(RunRecord& record);
  void need_gates(const std::string& why);
  void forgive();
  Status look_at_failures();
  Status look_at(const std::string& signature, RunRecord record);
  void tell_progress();
  void reap_strays();
  void finish();

  Setup setup_;  // with the clock of this exploration: every run, and every replay, begins at the same time
  const ExploreOptions& options_;
  Guard& guard_;
  Observer& observer_;
  const Strays strays_;
  Campaign campaign_;
  Exploration result_;
  std::vector<Place> places_;
  std::map<std::string, RunRecord> pending_;  // by signature: new failures that were not looked at yet
  std::set<std::string> suppressed_;          // signatures that are no longer looked at
  struct Undecided {
    Ticket ticket;
    std::vector<std::string> signatures;
  };
  std::vector<Undecided> undecided_;          // failing runs of which some signature has not been looked at
  std::vector<pollfd> fds_;
  std::string obstacle_;                      // to fibers
  bool over_ = false;
  bool named_groups_found_ = false, named_functions_found_ = false;
  uint64_t matched_ = 0;                      // wire::Patched, of all runs
  double began_ = 0;
  double told_ = 0, told_schedules_ = 0, rate_ = 0, reaped_ = 0;
};

Exploration Explorer::run() {
  began_ = now_seconds();
  Status status = make_workers();
  while (status && !over_) status = turn();
  if (!status) result_.error = status.error();
  places_.clear();
  reap_strays();
  finish();
  return std::move(result_);
}

Status Explorer::make_workers() {
  const Mode mode = setup_.reset == wire::Reset::kFork ? Mode::kFork : Mode::kExec;
  for (int cpu : options_.cpus) {
    Expected<std::unique_ptr<Worker>> worker = Worker::create(setup_, guard_, mode, cpu);
    if (!worker) return worker.error();
    places_.push_back({std::move(*worker), {}});
  }
  return Done{};
}

// One turn of the event loop.
Status Explorer::turn() {
  if (elapsed() > options_.seconds) campaign_.stop();
  if (Status handed = hand_out(); !handed) return handed;
  if (campaign_.outstanding() == 0) {
    if (Status looked = look_at_failures(); !looked) return looked;
    over_ = over_ || campaign_.done();
    return Done{};
  }
  wait();
  if (over_) return Done{};
  if (Status advanced = advance(); !advanced) return advanced;
  tell_progress();
  if (elapsed() - reaped_ > kStrayInterval) reap_strays();
  return Done{};
}

Status Explorer::hand_out() {
  for (Place& place : places_) {
    if (place.worker->busy()) continue;
    if (nothing_to_test()) return Done{};
    if (Status found = find_named_functions(); !found) return found;
    if (Status found = find_named_groups(); !found) return found;
    const std::optional<Ticket> ticket = campaign_.next(!pending_.empty());
    if (!ticket) return Done{};
    place.ticket = *ticket;
    if (Status begun = place.worker->begin(order_for(*ticket)); !begun) return begun;
  }
  return Done{};
}

// A program that never had a second thread has one schedule. One that crashes is worth a finding all the same.
bool Explorer::nothing_to_test() {
  if (!campaign_.just_profiled() || campaign_.most_threads() > 1 || campaign_.profiling_crashed()) return false;
  result_.one_thread = true;
  campaign_.stop();
  return true;
}

// Variables that the user names are looked for among those that the profiling runs met.
Status Explorer::find_named_groups() {
  if (!campaign_.just_profiled() || named_groups_found_) return Done{};
  named_groups_found_ = true;
  for (size_t i = 0; i < options_.plan.policies.size(); ++i) {
    const PolicySpec& policy = options_.plan.policies[i];
    if (policy_name(policy) != "noise-contention" || policy.file[0] == '\0') continue;
    Expected<GroupNames> found = groups_named(policy.file, campaign_.groups().of(GroupBy::kVariable));
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

void Explorer::wait() {
  fds_.assign(1, {options_.stop_fd, POLLIN, 0});  // poll ignores negative descriptors
  double wake = now_seconds() + kProgressInterval;
  for (const Place& place : places_) {
    if (!place.worker->busy()) continue;
    place.worker->add_to(fds_);
    wake = std::min(wake, place.worker->wake_at());
  }
  wait_for_events(fds_, wake);
  if (fds_[0].revents != 0) result_.interrupted = over_ = true;
}

Status Explorer::advance() {
  for (Place& place : places_) {
    Expected<std::optional<RunRecord>> done = place.worker->advance();
    if (!done) return done.error();
    if (!done->has_value()) continue;
    if (Status taken = take(place.ticket, std::move(**done)); !taken) return taken;
  }
  return Done{};
}

Status Explorer::take(const Ticket& ticket, RunRecord record) {
  if (is_internal_error(record)) return Error{"the runtime failed: " + record.err};
  if (record.outcome == OutcomeKind::kRefused) return Error{record.message, {}, 4};
  result_.summary.cpu_seconds += record.cpu_seconds;
  matched_ |= record.patched.matched;
  if (!record.obstacle.empty()) need_gates(record.obstacle);
  if (ticket.profiling) {
    campaign_.finished(ticket, record, fails(record));
    return Done{};
  }
  std::vector<std::string> signatures = note_failures(record);
  campaign_.finished(ticket, record, !signatures.empty());
  const bool decided = std::ranges::none_of(signatures, [&](const auto& s) { return pending_.contains(s); });
  if (!decided) undecided_.push_back({ticket, std::move(signatures)});
  tell_notes(record);
  return Done{};
}

// Workers that have not noticed yet need not find out by themselves, nor need confirmations.
void Explorer::need_gates(const std::string& why) {
  setup_.switching = Switching::kGates;
  obstacle_ = why;
}

// All that is wrong with the run and not suppressed.
std::vector<std::string> Explorer::note_failures(RunRecord& record) {
  std::vector<std::string> signatures;
  std::set<std::string> seen;
  for (int subject : failures_of(record)) {
    record.subject = subject;
    const std::string signature = signature_of(record);
    if (!seen.insert(signature).second) continue;
    note_failure(signature, record);
    if (!suppressed_.contains(signature)) signatures.push_back(signature);
  }
  record.subject = -1;
  return signatures;
}

void Explorer::tell_notes(RunRecord& record) {
  for (size_t i = 0; i < record.misuses.size(); ++i) {
    record.subject = static_cast<int>(i);
    if (record.misuses[i].what.kind != MisuseKind::kExitHolding) continue;
    const std::string signature = signature_of(record);
    if (++result_.seen[signature].schedules == 1) observer_.on_note(record, signature);
  }
  record.subject = -1;
}

// Keeps, of each new signature, the failure with the smallest index.
void Explorer::note_failure(const std::string& signature, const RunRecord& record) {
  Seen& seen = result_.seen[signature];
  seen.by_policy.resize(options_.plan.policies.size());
  ++seen.by_policy[record.index % seen.by_policy.size()];
  const bool looked_at = seen.schedules++ != 0 && !pending_.contains(signature);
  if (looked_at) return;
  const auto [at, is_new] = pending_.try_emplace(signature, record);
  if (!is_new && record.index < at->second.index) at->second = record;
}

// Everything has been looked at: runs that failed only by what is suppressed did not fail.
void Explorer::forgive() {
  for (const Undecided& run : undecided_)
    if (std::ranges::all_of(run.signatures, [&](const auto& s) { return suppressed_.contains(s); }))
      campaign_.forgive(run.ticket);
  undecided_.clear();
}

// Called when nothing is running: all runs below the failures are finished, so that the order, and
// with it what is reported, does not depend on the number of workers.
Status Explorer::look_at_failures() {
  uint64_t index = 0;
  while (!pending_.empty()) {
    const auto first = std::min_element(pending_.begin(), pending_.end(), [](const auto& a, const auto& b) {
      return std::pair(a.second.index, unsigned(a.second.subject)) < std::pair(b.second.index, unsigned(b.second.subject));
    });
    if (over_ && first->second.index != index) break;  // all that is wrong with the run that was found is told
    index = first->second.index;
    auto node = pending_.extract(first);
    if (Status looked = look_at(node.key(), std::move(node.mapped())); !looked) return looked;
  }
  forgive();
  campaign_.resume();
  return Done{};
}

Status Explorer::look_at(const std::string& signature, RunRecord record) {
  const bool all_failed = campaign_.failing() == campaign_.schedules();
  const int other_core = options_.cpus.back();
  Failure failure;
  failure.schedules_before = record.index;
  failure.seconds = elapsed();
  failure.signature = signature;
  failure.confirmation = confirm(record, setup_, guard_, other_core, options_.stop_fd);
  failure.record = std::move(record);
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
    result_.fails_anyway = fails_anyway(setup_, options_.plan, guard_, other_core, options_.stop_fd);
  if (!options_.plan.keep_going) over_ = true;
  return Done{};
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

void Explorer::reap_strays() {
  std::vector<pid_t> known{guard_.pid()};
  for (const Place& place : places_) {
    if (place.worker->handing_over()) return;
    place.worker->add_pids(known);
  }
  strays_.reap(known);
  reaped_ = elapsed();
}

void Explorer::finish() {
  // The self-check may take a fifth of the time that the exploration took, and a little more for short ones.
  const double spare = elapsed() / 5 + 2;
  summarize(campaign_, options_.plan, setup_, obstacle_, result_.summary);
  result_.groups = campaign_.groups();
  result_.indices = campaign_.handed_out();
  result_.missing = campaign_.missing();
  for (const PolicyTally& tally : campaign_.tallies()) result_.failing_at.insert(tally.failing_at.begin(), tally.failing_at.end());
  result_.summary.seconds = elapsed();
  result_.summary.interrupted = result_.interrupted;
  if (!result_.interrupted && !result_.error)
    result_.summary.repeatable =
        self_check(campaign_.samples(), setup_, guard_, options_.cpus.back(), spare, options_.stop_fd);
}

}  // namespace

Exploration explore(const Setup& setup, const ExploreOptions& options, Guard& guard, Observer& observer) {
  return Explorer(setup, options, guard, observer).run();
}

}  // namespace snarl
