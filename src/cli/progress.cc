#include "cli/progress.h"

#include <fmt/format.h>

#include "cli/terminal.h"
#include "report/printable.h"

namespace snarl::cli {
namespace {

constexpr double kPlainInterval = 10;      // seconds
constexpr double kPlainTriesInterval = 2;  // likewise, of what follows a failure: that takes seconds, mostly

// "shortening: 1,234 schedules, 3 switches so far  2.1 s"
std::string tries_text(const report::Progress& progress) {
  const bool shortens = progress.phase == report::Phase::kShortening;
  const std::string size = shortens ? report::counted(progress.size, "switch", "switches") + " so far"
                                    : "tries " + report::counted(progress.size, "order", "orders");
  return fmt::format("{}: {}, {}  {:.1f} s", shortens ? "shortening" : "explaining",
                     report::counted(progress.schedules, "schedule", "schedules"), size, progress.seconds);
}

}  // namespace

std::string progress_text(const report::Progress& progress) {
  if (progress.phase != report::Phase::kExploring) return tries_text(progress);
  const std::string distinct =
      progress.distinct == 0 ? "" : report::grouped(progress.distinct) + " distinct  ";  // not known of parallel runs
  const std::string orders = progress.orders == 0 ? "" : report::grouped(progress.orders) + " orders  ";
  const std::string most = progress.most_schedules == 0 ? "" : " of " + report::grouped(progress.most_schedules);
  const std::string limit = progress.limit == 0 ? "" : fmt::format(" of {:.3g}", progress.limit);
  return fmt::format("{}{} schedules  {:.0f}/s  {}{}{} finding{}  {:.1f}{} s", report::grouped(progress.schedules),
                     most, progress.rate, distinct, orders, progress.findings, progress.findings == 1 ? "" : "s",
                     progress.seconds, limit);
}

void ProgressLine::show(const report::Progress& progress) {
  if (live_) {
    tell("\r\x1b[K" + progress_text(progress));
    shown_ = true;
    return;
  }
  const bool explores = progress.phase == report::Phase::kExploring;
  if (progress.phase != phase_) last_tries_ = 0;
  phase_ = progress.phase;
  double& last = explores ? last_plain_ : last_tries_;
  if (progress.seconds < last) last = 0;  // it began anew
  if (progress.seconds - last < (explores ? kPlainInterval : kPlainTriesInterval)) return;
  tell(fmt::format("snarl: {}\n", progress_text(progress)));
  last = progress.seconds;
}

void ProgressLine::say(const std::string& line) {
  clear();
  tell(fmt::format("snarl: {}\n", printable_line(line)));
}

void ProgressLine::clear() {
  if (!shown_) return;
  tell("\r\x1b[K");
  shown_ = false;
}

}  // namespace snarl::cli
