#include "report/formats/junit.h"

#include <fmt/format.h>

#include "report/formats/xml_text.h"
#include "report/printable.h"
#include "report/text/finding.h"

namespace snarl::report {
namespace {

std::string element(const char* name, const std::string& text) {
  return text.empty() ? "" : fmt::format("      <{}>{}</{}>\n", name, xml_text(text), name);
}

std::string case_head(const std::string& name, double seconds) {
  return fmt::format("    <testcase name=\"{}\" classname=\"snarl\" time=\"{:.3f}\">\n", xml_attribute(name), seconds);
}

std::string failed_case(const Finding& f, const std::string& name, double seconds) {
  return case_head(name, seconds) +
         fmt::format("      <failure message=\"{}\" type=\"{}\">{}</failure>\n", xml_attribute(finding_title(f)),
                     xml_attribute(kind_of(f)), xml_text(finding_text(f))) +
         element("system-out", f.out_tail) + element("system-err", f.err_tail) + "    </testcase>\n";
}

// No finding: it passed, was left as it is, or there is no verdict.
std::string other_case(const Results& results, const std::string& name) {
  std::string text = case_head(name, results.summary.seconds);
  const std::string problem = problem_text(results.ending);
  if (!problem.empty() && results.ending.exit_code == 0)
    text += fmt::format("      <skipped message=\"{}\"/>\n", xml_attribute(problem));
  else if (!problem.empty())
    text += fmt::format("      <error message=\"{}\" type=\"exit code {}\"/>\n", xml_attribute(problem),
                        results.ending.exit_code);
  if (results.ending.tested) text += element("system-out", summary_text(results.summary));
  return text + "    </testcase>\n";
}

std::string property(const char* name, const std::string& value) {
  return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml_attribute(value));
}

std::string cases(const Results& results, const std::string& command) {
  if (results.findings.empty()) return other_case(results, command);
  std::string text;
  for (const Finding& f : results.findings) {
    const auto nth = &f - results.findings.data();
    const bool first = nth == 0;
    text += failed_case(f, first ? command : fmt::format("{} (finding {}: {})", command, nth + 1, finding_title(f)),
                        first ? results.summary.seconds : 0);
  }
  // What was found stands, but more was asked for.
  if (!results.ending.is_verdict() && results.ending.exit_code != 0) {
    const std::string problem = problem_text(results.ending);
    text += case_head(command + " (to its end)", 0) +
            fmt::format("      <error message=\"{}\" type=\"exit code {}\"/>\n    </testcase>\n",
                        xml_attribute(problem), results.ending.exit_code);
  }
  return text;
}

}  // namespace

std::string junit_text(const Results& results) {
  const std::string command = printable(command_text(results.summary.command));
  const bool verdict = results.ending.is_verdict();
  const size_t failures = results.findings.size();
  const bool skipped = !verdict && results.ending.exit_code == 0, error = !verdict && !skipped;
  const size_t tests = failures + (failures == 0 || error ? 1 : 0);
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", tests, failures, error ? 1 : 0);
  const std::string time = fmt::format("time=\"{:.3f}\"", results.summary.seconds);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"snarl\" {} {}>\n"
      "  <testsuite name=\"{}\" {} skipped=\"{}\" {}>\n    <properties>\n{}{}{}    </properties>\n{}  </testsuite>\n"
      "</testsuites>\n",
      counts, time, xml_attribute(command), counts, skipped && failures == 0 ? 1 : 0, time,
      property("seed", fmt::format("{:#x}", results.summary.seed)),
      property("schedules", std::to_string(results.summary.schedules)), property("version", results.summary.version),
      cases(results, command));
}

}  // namespace snarl::report
