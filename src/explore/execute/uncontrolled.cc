#include "explore/execute/uncontrolled.h"

#include <algorithm>

#include "base/hash.h"
#include "explore/execute/worker.h"
#include "record/settle.h"

namespace snarl::explore {
namespace {

constexpr int kUncontrolledRuns = 3;
constexpr int kControlledRuns = 20;
constexpr double kUncontrolledSeconds = 5, kControlledSeconds = 2;  // no further run begins after these
constexpr double kLivelockSeconds = 2;      // of a run without us, if it loops for ever in each run with us
constexpr uint64_t kSalt = 0x616e79776179;  // "anyway": no campaign index has these draws

// kNone: it passes, or can't be told.
OutcomeKind failure_of(Worker& worker, RunOrder order, int stop_fd) {
  Expected<record::RunRecord> record = run_to_end(worker, std::move(order), stop_fd);
  if (record) record::settle_lost(*record);
  return record && is_failure(record->outcome) ? record->outcome : OutcomeKind::kNone;
}

}  // namespace

// First the runs that end at once if somebody waits in vain.
bool fails_anyway(const Setup& setup, const PolicySpec& policy, uint64_t seed, os::Guard& guard, int cpu, int stop_fd) {
  Expected<std::unique_ptr<Worker>> worker = Worker::create(setup, guard, Mode::kFork, cpu);
  if (!worker) return false;
  bool only_livelocks = true;
  double deadline = os::now_seconds() + kControlledSeconds;
  for (uint64_t i = 0; i < kControlledRuns && os::now_seconds() < deadline; ++i) {
    RunOrder order(setup.settings);
    order.key = {.seed = combine(seed, kSalt), .index = i, .policy = policy};
    const OutcomeKind failure = failure_of(**worker, std::move(order), stop_fd);
    if (failure == OutcomeKind::kNone) return false;
    only_livelocks &= failure == OutcomeKind::kLivelock;
  }
  Setup without_us = setup;
  if (only_livelocks) without_us.timeout = std::min(setup.timeout, kLivelockSeconds);
  Expected<std::unique_ptr<Worker>> free_worker = Worker::create(without_us, guard, Mode::kUncontrolled, -1);
  if (!free_worker) return false;
  deadline = os::now_seconds() + (only_livelocks ? kLivelockSeconds : kUncontrolledSeconds);
  for (int i = 0; i < kUncontrolledRuns && os::now_seconds() < deadline; ++i)
    if (failure_of(**free_worker, RunOrder(without_us.settings), stop_fd) == OutcomeKind::kNone) return false;
  return true;
}

}  // namespace snarl::explore
