#include "report/text/event_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "report/printable.h"
#include "report/text/finding_words.h"
#include "report/text/location_text.h"
#include "report/text/row_words.h"
#include "report/text/thread_words.h"
#include "report/thread_name.h"

namespace snarl::report {
namespace {

constexpr size_t kMostTitle = 24;  // columns
constexpr size_t kMostText = 48;

std::string title_of(const Finding& finding, uint32_t ordinal) {
  const auto thread = std::ranges::find(finding.threads, ordinal, &FindingThread::ordinal);
  return printable(thread == finding.threads.end() ? thread_name(ordinal) : thread_title(*thread));
}

struct Line {
  const FindingRow* row;
  RowWords words;
  std::string text;  // with its mark
};

std::vector<Line> lines_of(const Finding& finding) {
  const ActWords words(finding.objects);
  const std::string headline = headline_of(finding);
  std::vector<Line> lines;
  for (const FindingRow& row : finding.rows) {
    RowWords told = words_of(row, words, headline);
    const std::string text = printable(mark_of(row) + told.text);
    lines.push_back({&row, std::move(told), text});
  }
  return lines;
}

std::string text_of(const Finding& finding, const Line& of, size_t title, size_t text) {
  const FindingRow& row = *of.row;
  std::string line = padded_left(row.step == 0 ? "" : grouped(row.step), 9) + "  " +
                     padded(shortened(title_of(finding, row.thread), title), title) + "  " + padded(of.text, text);
  if (row.place.known()) line += "  " + printable(path_text(row.place));
  if (!row.place.function.empty()) line += " " + printable(row.place.function);
  const RowWords& words = of.words;
  if (!words.note.empty()) line += "  (" + printable(words.note) + ")";
  if (!words.value.empty() && words.value != words.note) line += "  " + printable(words.value);
  while (line.ends_with(' ')) line.pop_back();
  return line + "\n";
}

}  // namespace

std::string event_log(const Finding& finding, Step until) {
  size_t title = 0, text = 0;
  for (const FindingThread& thread : finding.threads)
    title = std::max(title, columns(title_of(finding, thread.ordinal)));
  const std::vector<Line> lines = lines_of(finding);
  for (const Line& line : lines) text = std::max(text, columns(line.text));
  title = std::min(title, kMostTitle), text = std::min(text, kMostText);
  std::string log;
  if (finding.rows_lost > 0)
    log += fmt::format("{} before these are not kept\n", counted(finding.rows_lost, "row", "rows"));
  for (const Line& line : lines) {
    const FindingRow& row = *line.row;
    if (until != 0 && row.step > until) break;
    if (row.skipped > 0)
      log += fmt::format("           ... {} like those around them\n", counted(row.skipped, "step", "steps"));
    log += text_of(finding, line, title, text);
  }
  return log;
}

}  // namespace snarl::report
