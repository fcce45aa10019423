#include "explore/execute/uncontrolled.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "os/system.h"
#include "record/output_check.h"
#include "record/settle.h"

namespace snarl::explore {
namespace {

constexpr int kUncontrolledRuns = 3;
constexpr int kControlledRuns = 20;
constexpr double kUncontrolledSeconds = 5, kControlledSeconds = 2;  // no further run begins after these
constexpr double kLivelockSeconds = 2;      // of a run without us, if it loops for ever in each run with us
constexpr uint64_t kSalt = 0x616e79776179;  // "anyway": no campaign index has these draws

// kNone: it passes, or can't be told.
OutcomeKind failure_of(Executor& executor, RunOrder order, const Stop& stop) {
  Expected<record::RunRecord> record = run_to_end(executor, std::move(order), stop);
  if (record) record::settle_lost(*record);
  return record && is_failure(record->outcome) ? record->outcome : OutcomeKind::kNone;
}

std::string ending_text(const record::RunRecord& record) {
  switch (record.outcome) {
    case OutcomeKind::kExit: return fmt::format("ends with exit code {}", record.exit_code);
    case OutcomeKind::kSignal: return fmt::format("is ended by signal {}", record.signal);
    case OutcomeKind::kWrongOutput: return fmt::format("writes \"{}\"", record.wrong_output.got);
    default: return "does not end in time";
  }
}

// How the second output differs from the first.
Error difference(const std::string& first, const std::string& second) {
  record::Comparison comparison;
  comparison.hear(first, second);
  const WrongOutput wrong = comparison.result(first);
  return {fmt::format("two runs without snarl write different output: line {} is \"{}\" and then \"{}\"", wrong.line,
                      wrong.expected, wrong.got),
          "expect something that stays the same, with --fail-on or an assertion of the program", 4};
}

}  // namespace

Expected<std::string> uncontrolled_output(const Setup& setup, Executors& executors, const Stop& stop) {
  Setup whole = setup;
  whole.whole_output = true;
  Expected<std::unique_ptr<Executor>> worker = executors.make(whole, Mode::kUncontrolled, -1);
  if (!worker) return worker.error();
  std::string outputs[2];
  for (std::string& output : outputs) {
    RunOrder order(whole.settings);
    order.keep_all = true;
    Expected<record::RunRecord> record = run_to_end(**worker, std::move(order), stop);
    if (!record) return record.error();
    if (record->outcome != OutcomeKind::kOk)
      return Error{
          fmt::format("there is no output to compare with: without snarl the program {}", ending_text(*record)),
          "make it pass on its own first", 5};
    if (record->out_cut) return Error{"the program writes more than 16 MiB, the most that is compared", {}, 2};
    output = std::move(record->out);
  }
  if (outputs[0] != outputs[1]) return difference(outputs[0], outputs[1]);
  return std::move(outputs[0]);
}

// First the runs that end at once if somebody waits in vain.
bool fails_anyway(const Setup& setup, const PolicySpec& policy, uint64_t seed, Executors& executors, int cpu,
                  const Stop& stop) {
  Expected<std::unique_ptr<Executor>> worker = executors.make(setup, Mode::kFork, cpu);
  if (!worker) return false;
  bool only_livelocks = true;
  double deadline = os::now_seconds() + kControlledSeconds;
  for (uint64_t i = 0; i < kControlledRuns && os::now_seconds() < deadline; ++i) {
    RunOrder order(setup.settings);
    order.key = {.seed = combine(seed, kSalt), .index = i, .policy = policy};
    const OutcomeKind failure = failure_of(**worker, std::move(order), stop);
    if (failure == OutcomeKind::kNone) return false;
    only_livelocks &= failure == OutcomeKind::kLivelock;
  }
  Setup without_us = setup;
  if (only_livelocks) without_us.timeout = std::min(setup.timeout, kLivelockSeconds);
  Expected<std::unique_ptr<Executor>> free_worker = executors.make(without_us, Mode::kUncontrolled, -1);
  if (!free_worker) return false;
  deadline = os::now_seconds() + (only_livelocks ? kLivelockSeconds : kUncontrolledSeconds);
  for (int i = 0; i < kUncontrolledRuns && os::now_seconds() < deadline; ++i)
    if (failure_of(**free_worker, RunOrder(without_us.settings), stop) == OutcomeKind::kNone) return false;
  return true;
}

}  // namespace snarl::explore
