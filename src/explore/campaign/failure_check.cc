#include "explore/campaign/failure_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "explain/signature.h"
#include "explore/campaign/find_cause.h"
#include "explore/campaign/meeting.h"
#include "explore/campaign/shorten.h"
#include "os/system.h"

namespace snarl::explore {
namespace {

constexpr double kShare = 0.5;  // of the time for what follows failures: the most for the shortest schedule of one,
                                // and for its cause
constexpr double kRacesShortening = 1;  // seconds, for races, of which a program may have many

bool is_of_accesses(const record::RunRecord& record) { return explain::is_of_accesses(explain::signature_of(record)); }

}  // namespace

void FailureCheck::begin() { stop_ = Stop(stop_fd_, os::now_seconds() + seconds_); }

std::optional<record::RunRecord> FailureCheck::show_race(const record::RunRecord& record, const Setup& replays) {
  if (seconds_ == 0) return std::nullopt;
  std::optional<record::RunRecord> met = search_meeting(record, replays, executors_, cpu_, stop_);
  if (met || !explain::possible_race_of(record)->weak.is_one) return met;
  return weak_races_.show(record, replays, executors_, cpu_, stop_);
}

Confirmation FailureCheck::try_again(record::RunRecord& record, const Setup& replays) {
  if (seconds_ == 0) return {.doubt = "no fresh process was to try it (--after-finding 0)"};
  Confirmation result = confirm(record, replays, executors_, cpu_, stop_);
  if (!result.confirmed && !result.replay && stop_.is_late())
    result.doubt = fmt::format("no fresh process failed so within {:.3g} s (--after-finding)", seconds_);
  return result;
}

std::optional<Examination> FailureCheck::blame_patches(FailedRun& failure, const Setup& replays) {
  Confirmation& confirmation = failure.confirmation;
  if (confirmation.replay && is_to_be_examined(failure.record)) {
    const Examination examination = cross_examine(failure.record, replays, executors_, cpu_, stop_);
    if (examination.verdict == Examination::Verdict::kOurs) return examination;
    if (examination.verdict == Examination::Verdict::kOpen && confirmation.confirmed)
      confirmation.doubt =
          "it fails so with snarl's patches; whether it does without them is open, as " + examination.why;
  }
  if (!confirmation.doubt.empty()) confirmation.confirmed = false;
  return std::nullopt;
}

void FailureCheck::shorten(FailedRun& failure, const Setup& replays) {
  if (!failure.confirmation.confirmed) return;
  const double most = is_of_accesses(failure.record) ? kRacesShortening : kShare * seconds_;
  const Stop stop(stop_fd_, std::min(stop_.at, os::now_seconds() + most));
  std::optional<record::RunRecord> shorter = explore::shorten(failure.record, replays, executors_, cpu_, stop, tell_);
  if (!shorter) return;
  Confirmation again = confirm(*shorter, replays, executors_, cpu_, stop_);
  if (!again.confirmed) return;
  failure.switches_before = failure.record.switches;
  failure.record = std::move(*shorter);
  failure.confirmation = std::move(again);
}

// These say themselves which accesses lack an order.
void FailureCheck::find_cause(FailedRun& failure, const Setup& replays) {
  if (is_of_accesses(failure.record)) return;
  if (!failure.confirmation.confirmed || !failure.confirmation.replay) return;
  const Stop stop(stop_fd_, std::min(stop_.at, os::now_seconds() + kShare * seconds_));
  failure.cause =
      explore::find_cause(failure.record, *failure.confirmation.replay, replays, executors_, cpu_, stop, tell_);
}

}  // namespace snarl::explore
