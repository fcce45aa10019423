#include "report/text/row_words.h"

#include <fmt/format.h>

#include "report/text/thread_name.h"

namespace snarl::report {
namespace {

// "itself", "T2", "itself, T2, T3", "T2, T3, T4 and others"
std::string holders_text(const FindingRow& row) {
  std::string text;
  for (uint32_t holder : row.holders)
    text += (text.empty() ? "" : ", ") + (holder == row.thread ? "itself" : thread_name(holder));
  return text + (row.more_holders ? " and others" : "");
}

std::string wait_note(const FindingRow& row) {
  if (row.behind_writer) return "a writer is waiting";
  return row.holders.empty() ? ActWords::waits_note(row.act) : "held by " + holders_text(row);
}

void tell_wait(const FindingRow& row, const ActWords& words, DocumentRow& result) {
  if (row.act.kind == OpKind::kNone) return;
  result.text = words.waits_short(row.act);
  result.note = wait_note(row);
}

void tell_switch(const FindingRow& row, const ActWords& words, DocumentRow& result) {
  result.reason = name_of(row.reason);
  result.text = row.reason == Reason::kPreempted ? "preempted by policy" : name_of(row.reason);
  if (row.reason == Reason::kBlocked) tell_wait(row, words, result);
}

void tell_step(const FindingRow& row, const ActWords& words, DocumentRow& result) {
  result.text = words.text(row.act, row.place);
  result.note = row.value_changed ? "value changed" : words.note(row.act);
}

}  // namespace

DocumentRow told(const FindingRow& row, const ActWords& words, const std::string& headline) {
  DocumentRow result{.step = row.step, .thread = row.thread, .operation = name_of(row.act.kind), .text = {}};
  result.place = row.place;
  result.skipped = row.skipped;
  result.granted = row.kind != RowKind::kNeverGranted && row.kind != RowKind::kFailure;
  switch (row.kind) {
    case RowKind::kStep: tell_step(row, words, result); break;
    case RowKind::kSwitch: tell_switch(row, words, result); break;
    case RowKind::kTimedOut: result.text = "timed out"; break;
    case RowKind::kSleepOver: result.text = "sleep is over"; break;
    case RowKind::kAlarm: result.text = "a timer expires"; break;
    case RowKind::kNeverGranted: tell_wait(row, words, result); break;
    case RowKind::kFailure: result.operation = "fail", result.text = headline; break;
  }
  return result;
}

}  // namespace snarl::report
