#include "report/text/cause_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/output_tail.h"
#include "report/printable.h"
#include "report/text/act_words.h"
#include "report/text/location_text.h"
#include "report/thread_name.h"

namespace snarl::report {
namespace {

constexpr double kDoubt = 0.05;  // 95 % confidence

// "T1 lock A @ bank.cc:21 (2nd time)"
std::string moment_text(const FindingMoment& moment, const ActWords& words) {
  std::string text = thread_name(moment.thread) + " " + words.text(moment.act, moment.place);
  const bool after = moment.act.kind == OpKind::kAfter && moment.act.object != kNoObject;
  if (after) text += " " + words.name(moment.act.object);
  if (const std::string place = place_text(moment.place); !place.empty()) text += " @ " + place;
  if (moment.occurrence == 0) return text;
  const char* ending = moment.occurrence == 1   ? "st"
                       : moment.occurrence == 2 ? "nd"
                       : moment.occurrence == 3 ? "rd"
                                                : "th";
  return text + fmt::format(" ({}{} time)", moment.occurrence, ending);
}

std::string sources_text(const FindingConstraint& constraint, const ActWords& words) {
  std::string text;
  for (const FindingMoment& source : constraint.sources)
    text += (text.empty() ? "" : " and ") + moment_text(source, words);
  return text;
}

std::string headline(const Finding& f) {
  const FindingCause& c = f.cause;
  if (!c.enough)
    return fmt::format(
        "Cause: no order of up to 6 events is enough; the best fails in {} of {} schedules that obey it:",
        grouped(c.failed), grouped(c.runs));
  if (c.constraints.empty())
    return fmt::format("Cause (depth 0): it fails in {} of {} schedules, whatever the order of events.",
                       grouped(c.failed), grouped(c.runs));
  return fmt::format("Cause (depth {}, fails in {} of {} schedules that obey it):", depth_of(f), grouped(c.failed),
                     grouped(c.runs));
}

// What the numbers mean: if so many runs failed and none passed, at least such a share of all fails.
std::string meaning(const Finding& f) {
  const FindingCause& c = f.cause;
  std::string text;
  if (c.enough && c.runs > 0)
    text = fmt::format("{} of {} means >= {:.1f} % at 95 % confidence.", grouped(c.failed), grouped(c.runs),
                       std::floor(std::pow(kDoubt, 1 / static_cast<double>(c.runs)) * 1000) / 10);
  std::string without;
  for (size_t i = 0; i < c.constraints.size(); ++i) {
    const FindingConstraint& constraint = c.constraints[i];
    if (constraint.runs_without == 0) continue;
    const std::string which = c.constraints.size() == 1 ? "it" : fmt::format("line {}", i + 1);
    without += fmt::format("{} {} {} of {} pass", without.empty() ? "Without" : ", without", which,
                           grouped(constraint.passed_without), grouped(constraint.runs_without));
  }
  if (!without.empty()) text += (text.empty() ? "" : " ") + without + ".";
  if (c.otherwise > 0) text += fmt::format(" {} of them fail in another way.", grouped(c.otherwise));
  return text;
}

}  // namespace

std::string cause_lines(const Finding& finding, size_t width, const Paint& paint) {
  std::string text = paint(Color::kBold, shortened(headline(finding), width)) + "\n";
  const ActWords words(finding.objects);
  const std::vector<FindingConstraint>& constraints = finding.cause.constraints;
  size_t left = 0;
  for (const FindingConstraint& c : constraints) left = std::max(left, columns(sources_text(c, words)));
  for (const FindingConstraint& c : constraints) {
    const std::string sources = sources_text(c, words), target = moment_text(c.target, words);
    const bool fits = 2 + left + 10 + columns(target) <= width;
    const std::string line = sources.empty() ? target
                             : fits          ? padded(sources, left) + "  before  " + target
                                             : sources + " before " + target;
    std::string indent = "  ";
    for (const std::string& part : fits ? std::vector{line} : wrapped(line, width - 4)) {
      text += indent + part + "\n";
      indent = "    ";
    }
  }
  for (const std::string& line : wrapped(meaning(finding), width - 2)) text += " " + line + "\n";
  return text;
}

}  // namespace snarl::report
