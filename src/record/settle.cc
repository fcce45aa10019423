#include "record/settle.h"

#include <signal.h>
#include <sys/wait.h>

namespace snarl::record {
namespace {

// Outcomes that only the runtime can see; it ends the process itself after writing them.
bool is_runtimes_own(OutcomeKind kind) {
  return kind == OutcomeKind::kDeadlock || kind == OutcomeKind::kStepBudget || kind == OutcomeKind::kDivergence ||
         kind == OutcomeKind::kRefused || kind == OutcomeKind::kHang || kind == OutcomeKind::kLivelock ||
         kind == OutcomeKind::kCheck || kind == OutcomeKind::kException;
}

// The program said so before it killed itself.
bool is_own_kill(const RunRecord& record) { return record.outcome == OutcomeKind::kSignal && record.signal == SIGKILL; }

void settle_signal(RunRecord& record, int number) {
  const bool lost = number == SIGKILL && !is_own_kill(record);
  record.signal = number;
  record.exit_code = 0;
  if (lost)
    record.outcome = OutcomeKind::kNone;
  else if (record.outcome != OutcomeKind::kAssert)
    record.outcome = OutcomeKind::kSignal;
}

}  // namespace

void settle(RunRecord& record, int wait_status, bool timed_out) {
  const bool killed = WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL;
  if (is_runtimes_own(record.outcome) && (WIFEXITED(wait_status) || killed)) return;
  if (timed_out && killed) {
    record.outcome = OutcomeKind::kTimeout;
    return;
  }
  if (WIFSIGNALED(wait_status)) return settle_signal(record, WTERMSIG(wait_status));
  record.signal = 0;
  record.exit_code = WEXITSTATUS(wait_status);
  record.outcome = record.exit_code == 0 ? OutcomeKind::kOk : OutcomeKind::kExit;
}

void settle_lost(RunRecord& record) {
  if (record.outcome != OutcomeKind::kNone) return;
  record.outcome = OutcomeKind::kSignal;
  record.signal = SIGKILL;
}

bool is_internal_error(const RunRecord& record) {
  return record.outcome == OutcomeKind::kExit && record.exit_code == 125 &&
         record.err.find("snarl: internal error") != std::string::npos;
}

}  // namespace snarl::record
