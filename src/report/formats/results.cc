#include "report/formats/results.h"

#include <fmt/format.h>

#include "base/shell_word.h"
#include "report/printable.h"
#include "report/text/act_words.h"
#include "report/text/cause_lines.h"
#include "report/text/finding_words.h"
#include "report/text/location_text.h"
#include "report/text/paragraphs.h"
#include "report/text/thread_words.h"
#include "report/thread_name.h"

namespace snarl::report {
namespace {

constexpr size_t kWidth = 160;  // columns of a line about a thread

}  // namespace

std::string command_text(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) text += (text.empty() ? "" : " ") + shell_word(word);
  return text.empty() ? "the program" : text;
}

std::string problem_text(const Ending& ending) {
  if (ending.problem)
    return ending.problem->message + (ending.problem->hint.empty() ? "" : "; " + ending.problem->hint);
  return ending.is_verdict() ? "" : fmt::format("snarl ended with exit code {}", ending.exit_code);
}

std::string title_of(const Results& results) {
  const Summary& s = results.summary;
  const std::string command = command_text(s.command);
  const size_t found = results.findings.size();
  if (found > 0) return fmt::format("{} in {}", counted(found, "finding", "findings"), command);
  if (!results.ending.is_verdict()) return "no result for " + command;
  return fmt::format("nothing found in {}: {}", command, counted(s.schedules, "schedule", "schedules"));
}

std::string finding_title(const Finding& finding) {
  std::string text = printable(summary_of(finding));
  if (!finding.confirmed) text += " (not confirmed)";
  return text;
}

std::string finding_paragraph(const Finding& finding) {
  std::string text = finding_title(finding) + "\n";
  for (const std::string& more : {message_of(finding), sentence_of(finding)})
    if (!more.empty()) text += printable(more, Newlines::kKeep) + "\n";
  if (finding.cause.known) text += printable(cause_lines(finding, kWidth, Paint(false)), Newlines::kKeep);
  const ActWords words(finding.objects);
  for (const FindingThread* thread : live_threads(finding)) {
    std::string line = thread_title(*thread);
    for (const FindingHeld& held : thread->holds)
      line += ", holds " + words.name(held.object) + (held.place.known() ? " (" + place_text(held.place) + ")" : "");
    if (const std::string doing = doing_text(*thread, words); !doing.empty()) line += ", " + doing;
    if (thread->held_by != kNobody) line += " (held by " + thread_name(thread->held_by) + ")";
    if (thread->place.known()) line += ", at " + place_and_function(thread->place);
    text += shortened(printable(line), kWidth) + "\n";
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace snarl::report
