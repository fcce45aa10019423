#include "report/text/code_lines.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "report/output_tail.h"
#include "report/printable.h"
#include "report/text/location_text.h"

namespace snarl::report {
namespace {

constexpr size_t kMostLines = 12;

using Line = std::pair<std::string, int>;

class Lines {
 public:
  void add(const Location& place) {
    const Line line{place.path, place.line};
    if (place.path.empty() || place.line <= 0 || std::ranges::find(lines_, line) != lines_.end()) return;
    lines_.push_back(line);
    names_[line] = place_text(place);
  }
  void add(const FindingMoment& moment) { add(moment.place); }

  // The first ones, in the order of the files.
  std::vector<Line> first() const {
    std::vector<Line> lines(lines_.begin(),
                            lines_.begin() + static_cast<ptrdiff_t>(std::min(lines_.size(), kMostLines)));
    std::ranges::sort(lines);
    return lines;
  }
  const std::string& name(const Line& line) const { return names_.at(line); }

 private:
  std::vector<Line> lines_;
  std::map<Line, std::string> names_;
};

Lines lines_of(const Finding& f) {
  Lines lines;
  lines.add(f.place);
  for (const FindingMoment& moment : f.pattern.moments) lines.add(moment);
  for (const FindingDeed& deed : f.deeds) lines.add(deed.stack.empty() ? deed.place : deed.stack.front());
  for (const FindingConstraint& constraint : f.cause.constraints) {
    for (const FindingMoment& source : constraint.sources) lines.add(source);
    lines.add(constraint.target);
  }
  for (const FindingThread& thread : f.threads) {
    if (thread.doing == Doing::kWaits) lines.add(thread.place);
    for (const FindingHeld& held : thread.holds) lines.add(held.place);
  }
  return lines;
}

}  // namespace

std::string code_lines(const Finding& finding, size_t width) {
  std::map<Line, std::string> texts;
  for (const FindingSource& source : finding.sources) texts[{source.path, source.line}] = source.text;
  const Lines lines = lines_of(finding);
  size_t left = 0;
  for (const Line& line : lines.first()) left = std::max(left, texts.contains(line) ? columns(lines.name(line)) : 0);
  std::string text;
  for (const Line& line : lines.first())
    if (const auto known = texts.find(line); known != texts.end())
      text += "  " + shortened(padded(lines.name(line), left) + "  " + known->second, width - 2) + "\n";
  return text.empty() ? "" : "Code:\n" + text;
}

}  // namespace snarl::report
