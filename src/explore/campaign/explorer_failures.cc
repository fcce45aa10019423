// The half of the explorer that takes what comes back: runs, and the failures that it looks at.
#include <algorithm>
#include <utility>

#include "explain/signature.h"
#include "explore/campaign/exploring.h"
#include "explore/campaign/predict.h"
#include "explore/campaign/range_check.h"
#include "explore/execute/uncontrolled.h"
#include "record/settle.h"

namespace snarl::explore {
namespace {

constexpr size_t kMostOfProfiling = 16;  // possible races: a test is not to take much longer
constexpr size_t kQuestions = 40;        // to the solver, of one trace: a second or two mostly

const PolicySpec& simplest_policy(const CampaignPlan& plan) {
  return plan.profilers.empty() ? plan.policies.front() : plan.profilers.front();
}

}  // namespace

Status Explorer::take(Station& station, Came came) {
  wake_idle();
  for (Ended& run : came.ended)
    if (Status taken = take(run.order, std::move(run.record)); !taken) return taken;
  for (const RunOrder& order : came.not_begun) campaign_.give_back(order);
  if (!came.sum) return came.record ? take(station.ordered(), std::move(*came.record)) : Status(Done{});
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
  pace_.note_run(record.seconds);
  after_profiling_.note(record);
  if (!record.obstacle.empty()) need_gates(record.obstacle);
  if (order.profiling) {
    if (record.outcome == OutcomeKind::kExit) result_.own_end = {record.exit_code, record.out, record.err};
    campaign_.finished(order, record, explain::fails(record));
    if (options_.plan.ranges) note_possible_of_profiling(std::move(record));
    return Done{};
  }
  std::vector<std::string> signatures = failures_.note(record);
  failures_.note_possible(record);
  if (order.settings.trace) predict_from(record);
  std::erase_if(signatures, explain::is_of_accesses);
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

// Runs of a range share a process, in which there is no detector; these have one of their own.
void Explorer::note_possible_of_profiling(record::RunRecord record) {
  record.races.resize(
      std::min(record.races.size(), kMostOfProfiling - std::min(possible_of_profiling_, kMostOfProfiling)));
  possible_of_profiling_ += record.races.size();
  failures_.note_possible(record);
}

void Explorer::predict_from(const record::RunRecord& record) {
  const Prediction prediction = predict(record, kQuestions);
  Predicted& sum = result_.predicted;
  ++sum.schedules;
  sum.cut += prediction.cut ? 1 : 0;
  sum.solved = prediction.solved;
  for (const record::RunRecord& race : prediction.races) {
    const std::string signature = explain::signature_of_race(race, *explain::possible_race_of(race));
    sum.races.insert(signature);
    if (race.predicted == record::Predicted::kOrdered) sum.missed.insert(signature);
    failures_.note_predicted(race);
  }
}

// Called when nothing is running: all runs below the failures are finished, so that the order, and
// with it what is reported, does not depend on the number of workers.
Status Explorer::look_at_failures() {
  uint64_t index = 0;
  check_.begin();
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

// A race that is only possible becomes a finding if a schedule is found that shows it, and a note otherwise.
Status Explorer::look_at_possible(const std::string& signature, record::RunRecord record) {
  std::optional<record::RunRecord> shown = check_.show_race(record, replays_);
  if (!shown) {
    observer_.on_note(record, signature);
    return Done{};
  }
  const std::string race = explain::signature_of(*shown);
  return failures_.note_found(race, *shown) ? look_at(race, std::move(*shown)) : Done{};
}

Status Explorer::look_at(const std::string& signature, record::RunRecord record) {
  if (explain::possible_race_of(record) != nullptr) return look_at_possible(signature, std::move(record));
  Setup replays = replays_;
  replays.settings.points = record.settings.points;  // a race may have been shown with more
  replays.settings.weak_races = record.settings.weak_races;
  const bool all_failed = campaign_.failing() == campaign_.schedules();
  FailedRun failure;
  failure.schedules_before = record.key.index;
  failure.seconds = elapsed();
  failure.signature = signature;
  failure.confirmation = check_.try_again(record, replays);
  failure.record = std::move(record);
  if (!failure.confirmation.confirmed && failures_.was_shared(failure.record)) {
    try_alone(signature, failure.record);
    return Done{};
  }
  if (const std::optional<Examination> ours = check_.blame_patches(failure, replays)) {
    failures_.forget(signature);
    take_out(*ours);
    return Done{};
  }
  if (options_.shorten) check_.shorten(failure, replays);
  if (options_.explain) check_.find_cause(failure, replays);
  const Expected<Judgement> judgement = observer_.on_failure(failure);
  if (!judgement) return judgement.error();
  if (*judgement == Judgement::kSuppressed) {
    failures_.suppress(signature);
    return Done{};
  }
  if (*judgement == Judgement::kEnough) over_ = true;
  if (failure.confirmation.confirmed)
    note_confirmed(failure, all_failed);
  else
    ++result_.summary.unconfirmed;
  return Done{};
}

void Explorer::note_confirmed(const FailedRun& failure, bool all_failed) {
  result_.predicted.confirmed.insert(failure.signature);
  const bool first = ++result_.confirmed == 1;
  if (first && all_failed && failure.record.failure.kind == record::FailureKind::kOutcome &&
      executors_.guard() != nullptr)
    result_.fails_anyway = fails_anyway(replays_, simplest_policy(options_.plan), options_.plan.seed, executors_,
                                        options_.cpus.back(), check_.stop());
  const bool continues = explain::is_of_accesses(failure.signature) && !options_.stop_at_race;
  if (!options_.plan.keep_going && !continues) over_ = true;
}

// A failure that our patches made is not a finding: the exploration begins anew without them.
// Everything is as if they had never been made, but for the time that it took and for what was reported.
void Explorer::take_out(const Examination& examination) {
  for (const std::string& file : examination.files) {
    result_.summary.unpatched.push_back({file, examination.why});
    setup_.unpatched.push_back(file);
    replays_.unpatched.push_back(file);
  }
  for (Station& station : stations_) outdated_.insert(&station);
  campaign_ = Campaign(options_.plan, setup_.settings);
  after_profiling_.begin_anew();
  pace_.begin_anew();
}

}  // namespace snarl::explore
