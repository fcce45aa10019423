#include "report/text/finding_words.h"

#include <fmt/format.h>

#include "report/text/act_words.h"
#include "report/text/location_text.h"
#include "report/text/misuse_words.h"
#include "report/text/pattern_words.h"
#include "report/text/signal_name.h"
#include "report/thread_name.h"

namespace snarl::report {
namespace {

bool is_misuse(const Finding& f) { return f.misuse.kind != MisuseKind::kNone; }

std::string outcome_headline(const Finding& f) {
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
      "two schedule points, or needs more time (--timeout).",
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

std::string outcome_message(const Finding& f) {
  if (f.outcome == OutcomeKind::kWrongOutput) return wrong_output_message(f.wrong_output);
  if (f.outcome == OutcomeKind::kExit && f.expected_exit != 0)
    return fmt::format("The exit code should be {}.", f.expected_exit);
  if (f.outcome == OutcomeKind::kTimeout) return timeout_message(f);
  if (f.exception.empty()) return f.message;
  return "An exception was not caught: " + f.exception + (f.exception_says.empty() ? "" : ", " + f.exception_says);
}

}  // namespace

std::string headline_of(const Finding& f) { return is_misuse(f) ? MisuseWords(f).headline() : outcome_headline(f); }

std::string message_of(const Finding& f) { return is_misuse(f) ? MisuseWords(f).sentence() : outcome_message(f); }

std::string summary_of(const Finding& f) {
  const std::string headline = headline_of(f), message = message_of(f);
  if (failed_by(f, OutcomeKind::kException)) return headline + " " + message;
  if (failed_by(f, OutcomeKind::kWrongOutput)) return headline + ": " + message.substr(0, message.find(":\n"));
  std::string text = headline;
  if (const std::string place = place_text(f.place); !place.empty()) text += " " + place;
  if (!f.place.file.empty() && !f.place.function.empty()) text += " in " + f.place.function;
  if (!f.place.known() && failed_by(f, OutcomeKind::kExit)) text += " of " + thread_name(f.failing_thread);
  return text;
}

std::string sentence_of(const Finding& f) { return pattern_sentence(f.pattern, ActWords(f.objects)); }

std::string block_text(const FindingBlock& block) {
  if (!block.known) return "";
  const std::string where = block.place.known() ? " at " + place_text(block.place) : "";
  return fmt::format("{}-byte block allocated{} by {}{}", block.size, where, thread_name(block.thread),
                     block.offset == 0 ? "" : fmt::format(", +{}", block.offset));
}

}  // namespace snarl::report
