#include "report/formats/annotations.h"

#include <fmt/format.h>

#include "report/formats/source_uri.h"
#include "report/printable.h"

namespace snarl::report {
namespace {

// The runner ends a command at a line end, and decodes these.
std::string data(const std::string& text) {
  std::string result;
  for (const char c : printable(text, Newlines::kKeep)) {
    if (c == '%')
      result += "%25";
    else if (c == '\n')
      result += "%0A";
    else
      result += c;
  }
  return result;
}

// In a property, ':' and ',' end it, too.
std::string property(const std::string& text) {
  std::string result;
  for (const char c : data(text)) {
    if (c == ':')
      result += "%3A";
    else if (c == ',')
      result += "%2C";
    else
      result += c;
  }
  return result;
}

std::string annotation(const Finding& f, const SourceRoot& root) {
  const Location place = shown_place(f);
  const SourcePath path = source_path(place, root);
  std::string properties = "title=" + property(std::string("snarl: ") + kind_of(f));
  if (path.known()) properties += ",file=" + property(path.path);
  if (path.known() && place.line > 0) properties += fmt::format(",line={}", place.line);
  return fmt::format("::{} {}::{}\n", f.confirmed ? "error" : "warning", properties, data(finding_paragraph(f)));
}

}  // namespace

std::string annotations_text(const Results& results) {
  std::string text;
  for (const Finding& f : results.findings) text += annotation(f, results.root);
  const std::string problem = problem_text(results.ending);
  if (!problem.empty() && results.ending.exit_code != 0)  // what ran once as it is, and passed, is none
    text += "::error title=" + property("snarl: no verdict") + "::" + data(problem) + "\n";
  return text;
}

}  // namespace snarl::report
