#include "explore/campaign/failure_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "explore/campaign/shorten.h"
#include "os/system.h"

namespace snarl::explore {
namespace {

constexpr double kMostShortening = 10;  // seconds for the shortest schedule of one failure

}  // namespace

void FailureCheck::begin() { stop_ = Stop(stop_fd_, os::now_seconds() + seconds_); }

Confirmation FailureCheck::try_again(record::RunRecord& record, const Setup& replays) {
  if (seconds_ == 0) return {.doubt = "no fresh process was to try it (--after-finding 0)"};
  Confirmation result = confirm(record, replays, executors_, cpu_, stop_);
  if (!result.confirmed && !result.replay && stop_.is_late())
    result.doubt = fmt::format("no fresh process failed so within {:.3g} s (--after-finding)", seconds_);
  return result;
}

std::optional<Examination> FailureCheck::blame_patches(FailedRun& failure, const Setup& replays) {
  Confirmation& confirmation = failure.confirmation;
  if (confirmation.replay && is_to_be_examined(failure.record) && executors_.guard() != nullptr) {
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
  const Stop stop(stop_fd_, std::min(stop_.at, os::now_seconds() + kMostShortening));
  std::optional<record::RunRecord> shorter = explore::shorten(failure.record, replays, executors_, cpu_, stop);
  if (!shorter) return;
  Confirmation again = confirm(*shorter, replays, executors_, cpu_, stop_);
  if (!again.confirmed) return;
  failure.switches_before = failure.record.switches;
  failure.record = std::move(*shorter);
  failure.confirmation = std::move(again);
}

}  // namespace snarl::explore
