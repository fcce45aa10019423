// The line of progress, and a line for each finding, on stderr.
#include <fmt/format.h>
#include <unistd.h>

#include "cli/emitters.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "report/printable.h"

namespace snarl::cli {
namespace {

// "found deadlock after 9,120 schedules, 4.7 s: FOLDER", counted as the report counts.
std::string event_text(const report::Finding& finding) {
  const std::string when = finding.schedules_before == 0
                               ? "in the first schedule"
                               : "after " + report::counted(finding.schedules_before, "schedule", "schedules");
  return fmt::format("{} {}{} {}, {}: {}", finding.confirmed ? "found" : "unconfirmed:", kind_of(finding),
                     finding.confirmed       ? ""
                     : finding.doubt.empty() ? " (did not happen again in a fresh process)"
                                             : " (" + finding.doubt + ")",
                     when, report::duration(finding.seconds), finding.folder);
}

class ProgressEmitter final : public report::Emitter {
 public:
  explicit ProgressEmitter(bool live) : line_(live) {}

  void progress(const report::Progress& progress) override { line_.show(progress); }
  Status finding(const report::Found& found) override {
    line_.say(event_text(found.finding));
    return Done{};
  }
  Status end(const report::Summary&, const report::Ending&) override {
    line_.clear();
    return Done{};
  }

 private:
  ProgressLine line_;
};

}  // namespace

std::unique_ptr<report::Emitter> make_progress_emitter(const EmitterSetup&) {
  return std::make_unique<ProgressEmitter>(has_live_lines(STDERR_FILENO));
}

}  // namespace snarl::cli
