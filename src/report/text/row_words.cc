#include "report/text/row_words.h"

#include <fmt/format.h>

#include "report/thread_name.h"

namespace snarl::report {

std::string number_text(uint64_t value) {
  constexpr uint64_t kSmall = 1'000'000'000;
  return value < kSmall ? fmt::format("{}", value) : fmt::format("{:#x}", value);
}

namespace {

constexpr size_t kMostWoken = 3;

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

RowWords wait_words(const FindingRow& row, const ActWords& words) {
  if (row.act.kind == OpKind::kNone) return {};
  return {words.waits_short(row.act), wait_note(row)};
}

RowWords switch_words(const FindingRow& row, const ActWords& words) {
  const bool told = row.reason == Reason::kBlocked && row.act.kind != OpKind::kNone;
  if (told) return wait_words(row, words);
  return {row.reason == Reason::kPreempted ? "preempted by policy" : name_of(row.reason)};
}

// Only of what is sent to those who wait: that an unlock lets somebody go on is what one expects.
std::string wake_note(const FindingRow& row) {
  constexpr OpKinds kSends = {OpKind::kSignal, OpKind::kBroadcast, OpKind::kFutexWake};
  if (!kSends.has(row.act.kind)) return "";
  if (row.wakes_nobody) return "nobody waits";
  std::string text;
  for (size_t i = 0; i < row.wakes.size() && i < kMostWoken; ++i)
    text += (text.empty() ? "wakes " : ", ") + thread_name(row.wakes[i]);
  return text + (row.wakes.size() > kMostWoken ? " and others" : "");
}

// "3", of an exchange "0 -> 1" or "stays 1": it failed, or wrote what was there.
std::string value_text(const FindingValues& values) {
  if (values.bytes == 0) return "";
  if (!values.has_left) return number_text(values.was);
  if (!values.has_was) return number_text(values.left);
  if (values.was == values.left) return "stays " + number_text(values.was);
  return number_text(values.was) + " -> " + number_text(values.left);
}

RowWords step_words(const FindingRow& row, const ActWords& words) {
  RowWords result{words.text(row.act, row.place), row.value_changed ? "value changed" : words.note(row.act)};
  if (result.note.empty()) result.note = wake_note(row);
  result.value = value_text(row.values);
  if (result.note.empty()) result.note = result.value;
  return result;
}

}  // namespace

RowWords words_of(const FindingRow& row, const ActWords& words, const std::string& headline) {
  switch (row.kind) {
    case RowKind::kStep: return step_words(row, words);
    case RowKind::kSwitch: return switch_words(row, words);
    case RowKind::kTimedOut: return {"timed out"};
    case RowKind::kSleepOver: return {"sleep is over"};
    case RowKind::kAlarm: return {"a timer expires"};
    case RowKind::kNeverGranted: return wait_words(row, words);
    case RowKind::kFailure: return {headline};
  }
  return {};
}

const char* mark_of(const FindingRow& row) {
  if (row.kind == RowKind::kFailure) return "!! ";
  return is_step(row) ? "" : ">> ";
}

}  // namespace snarl::report
