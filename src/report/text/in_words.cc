#include "report/text/in_words.h"

#include <fmt/format.h>

#include "report/text/act_words.h"
#include "report/text/location_text.h"
#include "report/text/misuse_words.h"
#include "report/text/one_line.h"
#include "report/text/row_words.h"
#include "report/text/signal_name.h"
#include "report/text/thread_name.h"
#include "report/text/thread_words.h"

namespace snarl::report {
namespace {

constexpr size_t kLineColumns = 1000;  // of the schedule in one line, in report.json

bool is_misuse(const Finding& f) { return f.misuse.kind != MisuseKind::kNone; }

std::string headline_of(const Finding& f) {
  switch (f.outcome) {
    case OutcomeKind::kSignal: return signal_name(f.signal);
    case OutcomeKind::kExit: return fmt::format("exit code {}", f.exit_code);
    case OutcomeKind::kAssert: return "assertion failed";
    case OutcomeKind::kCheck: return f.sanitizer_error.empty() ? "check failed" : f.sanitizer_error;
    case OutcomeKind::kException: return "uncaught exception";
    case OutcomeKind::kDeadlock: return f.self_deadlock ? "self-deadlock" : "deadlock";
    case OutcomeKind::kStepBudget: return "step budget used up";
    case OutcomeKind::kWrongOutput: return "wrong output";
    default: return name_of(f.outcome);
  }
}

std::string timeout_message(const Finding& f) {
  return fmt::format(
      "The program had not come to its end after {:.3g} s and was ended. {} had the turn: it loops or blocks between "
      "two "
      "schedule points, or needs more time (--timeout).",
      f.run_seconds, thread_name(f.last_to_run));
}

// Two lines below each other, so that the eye finds the difference.
std::string differing_lines(const WrongOutput& wrong) {
  const std::string expected = wrong.has_more ? "(nothing more)" : wrong.expected;
  const std::string got = wrong.ends_early ? "(nothing more)" : wrong.got;
  return fmt::format("Line {} of the standard output is not as expected{}:\n  expected  {}\n  got       {}", wrong.line,
                     expected == got ? ", in how it ends" : "", expected, got);
}

std::string wrong_output_message(const WrongOutput& wrong) {
  if (wrong.kind == WrongOutput::Kind::kDiffers) return differing_lines(wrong);
  return fmt::format("Line {} of its {} matches {}:\n  {}", wrong.line, wrong.on_stderr ? "stderr" : "stdout",
                     wrong.expected, wrong.got);
}

std::string message_of(const Finding& f) {
  if (f.outcome == OutcomeKind::kWrongOutput) return wrong_output_message(f.wrong_output);
  if (f.outcome == OutcomeKind::kExit && f.expected_exit != 0)
    return fmt::format("The exit code should be {}.", f.expected_exit);
  if (f.outcome == OutcomeKind::kTimeout) return timeout_message(f);
  if (f.exception.empty()) return f.message;
  return "An exception was not caught: " + f.exception + (f.exception_says.empty() ? "" : ", " + f.exception_says);
}

// "deadlock bank.cc:22 in transfer"
std::string summary_of(const FindingDocument& d, OutcomeKind outcome) {
  std::string text = d.headline;
  if (outcome == OutcomeKind::kException) return text + " " + d.message;
  if (outcome == OutcomeKind::kWrongOutput) return text + ": " + d.message.substr(0, d.message.find(":\n"));
  if (const std::string place = place_text(d.place); !place.empty()) text += " " + place;
  if (!d.place.file.empty() && !d.place.function.empty()) text += " in " + d.place.function;
  if (!d.place.known() && outcome == OutcomeKind::kExit) text += " of " + thread_name(d.failing_thread);
  return text;
}

DocumentDeadline told(const FindingDeadline& deadline) {
  if (deadline.count == 0) return {};
  return {.seconds = static_cast<double>(deadline.nanoseconds) / 1e9,
          .count = deadline.count,
          .who = deadline.alarm ? "an alarm" : thread_name(deadline.thread),
          .set_at = deadline.set_at,
          .other = thread_name(deadline.other),
          .other_at = deadline.other_at};
}

// "48-byte block allocated at f.cc:12 by T1, +16"
std::string block_text(const FindingBlock& block) {
  if (!block.known) return "";
  const std::string where = block.place.known() ? " at " + place_text(block.place) : "";
  return fmt::format("{}-byte block allocated{} by {}{}", block.size, where, thread_name(block.thread),
                     block.offset == 0 ? "" : fmt::format(", +{}", block.offset));
}

DocumentObject told(const FindingObject& object) {
  return {word_of(object.kind), object.name, object.letter, object.first, block_text(object.block)};
}

DocumentSwitch told(const FindingSwitch& s) {
  return {s.step, s.from, s.to, name_of(s.reason), name_of(s.operation), s.nth, s.place, s.from_timer, s.to_timer};
}

}  // namespace

FindingDocument in_words(const Finding& f) {
  FindingDocument d;
  static_cast<FindingHead&>(d) = f;
  const ActWords words(f.objects);
  for (const FindingThread& thread : f.threads) d.threads.push_back(told(thread, words));
  const MisuseWords misuse(f, d.threads);
  d.kind = kind_of(f);
  d.headline = is_misuse(f) ? misuse.headline() : headline_of(f);
  d.message = is_misuse(f) ? misuse.sentence() : message_of(f);
  if (!is_misuse(f) && f.outcome == OutcomeKind::kSignal) d.signal = signal_name(f.signal);
  d.summary = summary_of(d, is_misuse(f) ? OutcomeKind::kNone : f.outcome);
  d.deadline = told(f.deadline);
  for (const FindingDeed& deed : f.deeds) d.deeds.push_back({misuse.deed(deed), deed.place, deed.stack});
  for (const FindingObject& object : f.objects) d.objects.push_back(told(object));
  for (const FindingRow& row : f.rows) d.rows.push_back(told(row, words, d.headline));
  for (const FindingSwitch& s : f.decisions) d.decisions.push_back(told(s));
  d.line = one_line_schedule(d.decisions, d.steps, kLineColumns);
  return d;
}

std::string misuse_sentence(const Finding& f) {
  std::vector<DocumentThread> threads;
  for (const FindingThread& thread : f.threads) threads.push_back(told(thread, ActWords(f.objects)));
  return MisuseWords(f, threads).sentence();
}

}  // namespace snarl::report
