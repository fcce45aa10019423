#include "explain/diagnose/sources.h"

#include <set>
#include <utility>

#include "symbolize/source_lines.h"

namespace snarl::explain {
namespace {

constexpr size_t kMostLines = 400;  // a finding of many rows has few lines, mostly: threads run the same code

class Sources {
 public:
  void add(const report::Location& place) {
    if (place.line > 0 && !place.path.empty() && !place.system && lines_.size() < kMostLines)
      lines_.insert({place.path, place.line});
  }
  void add(const report::Stack& stack) {
    for (const report::Location& place : stack) add(place);
  }
  void add(const report::FindingMoment& moment) { add(moment.place); }

  std::vector<report::FindingSource> read(const std::string& program) const {
    symbolize::SourceLines lines(program);
    std::vector<report::FindingSource> sources;
    for (const auto& [path, line] : lines_)
      if (std::string text = lines.line(path, line); !text.empty()) sources.push_back({path, line, std::move(text)});
    return sources;
  }

 private:
  std::set<std::pair<std::string, int>> lines_;
};

}  // namespace

void fill_sources(report::Finding& f, const std::string& program) {
  Sources sources;
  sources.add(f.place);
  for (const report::FindingMoment& moment : f.pattern.moments) sources.add(moment);
  for (const report::FindingConstraint& constraint : f.cause.constraints) {
    sources.add(constraint.target);
    for (const report::FindingMoment& source : constraint.sources) sources.add(source);
  }
  for (const report::FindingDeed& deed : f.deeds) sources.add(deed.place), sources.add(deed.stack);
  for (const report::FindingThread& thread : f.threads) {
    sources.add(thread.place), sources.add(thread.stack), sources.add(thread.created_at);
    for (const report::FindingHeld& held : thread.holds) sources.add(held.place);
  }
  for (auto row = f.rows.rbegin(); row != f.rows.rend(); ++row) sources.add(row->place);
  f.sources = sources.read(program);
}

}  // namespace snarl::explain
