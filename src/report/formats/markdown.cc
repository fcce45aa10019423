#include "report/formats/markdown.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/formats/source_uri.h"
#include "report/printable.h"
#include "report/text/finding.h"

namespace snarl::report {
namespace {

constexpr size_t kMostBytes = 60'000;   // a comment on GitHub has 65,536 characters at most
constexpr size_t kMostReport = 20'000;  // of one finding
constexpr size_t kMostFindings = 100;   // with a line each
constexpr size_t kMostTitle = 300;      // columns
constexpr size_t kReportColumns = 100;

size_t longest_run(const std::string& text, char c) {
  size_t longest = 0, run = 0;
  for (const char at : text) longest = std::max(longest, run = at == c ? run + 1 : 0);
  return longest;
}

// Code within a line: its fence is longer than any run of backticks in it.
std::string code(const std::string& text) {
  std::string clean = shortened(printable(text), kMostTitle);
  if (clean.empty()) return "";
  const std::string fence(longest_run(clean, '`') + 1, '`');
  const bool touches = clean.front() == '`' || clean.back() == '`' || (clean.front() == ' ' && clean.back() == ' ');
  return fence + (touches ? " " + clean + " " : clean) + fence;
}

// Lines of code.
std::string block(const std::string& text) {
  const std::string fence(std::max<size_t>(3, longest_run(text, '`') + 1), '`');
  return fence + "text\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

// As much of a text as fits, in whole lines.
std::string head_of(const std::string& text, size_t most) {
  if (text.size() <= most) return text;
  const size_t end = text.rfind('\n', most);
  return text.substr(0, end == std::string::npos ? 0 : end + 1) + "... (report.txt has the rest)\n";
}

std::string details(const std::string& title, const std::string& body) {
  return "<details><summary>" + title + "</summary>\n\n" + body + "\n</details>\n";
}

std::string line_of(const Finding& f, const SourceRoot& root) {
  const Location place = shown_place(f);
  const SourcePath path = source_path(place, root);
  std::string text = "- " + code(finding_title(f));
  if (path.known()) text += " at " + code(fmt::format("{}:{}", path.path, place.line));
  for (const FindingCommand& command : f.commands)
    if (command.what == "Replay") text += ", again with " + code(command.command);
  return text + "\n";
}

}  // namespace

std::string markdown_text(const Results& results) {
  std::string text = fmt::format("{}\n### snarl: {}\n\n", kMarkdownMark, code(title_of(results)));
  if (const std::string problem = problem_text(results.ending); !problem.empty())
    text += fmt::format("{} (exit code {}): {}\n\n", results.ending.exit_code == 0 ? "Skipped" : "No verdict",
                        results.ending.exit_code, code(problem));
  const size_t listed = std::min(results.findings.size(), kMostFindings);
  for (size_t i = 0; i < listed; ++i) text += line_of(results.findings[i], results.root);
  if (listed < results.findings.size()) text += fmt::format("- and {} more\n", results.findings.size() - listed);
  const std::string summary =
      results.ending.tested
          ? details("What was tested",
                    block(head_of(summary_text(results.summary, {.width = kReportColumns}), kMostReport)))
          : "";
  size_t shown = 0;
  for (const Finding& f : results.findings) {
    const std::string report = head_of(finding_text(f, {.width = kReportColumns}), kMostReport);
    const std::string part = "\n" + details(fmt::format("Report of finding {}", shown + 1), block(report));
    if (text.size() + part.size() + summary.size() > kMostBytes) break;
    text += part;
    ++shown;
  }
  if (shown < results.findings.size())
    text += fmt::format("\n{} left out: the output folder has all of them.\n",
                        counted(results.findings.size() - shown, "report is", "reports are"));
  return text + (summary.empty() ? "" : "\n" + summary);
}

}  // namespace snarl::report
