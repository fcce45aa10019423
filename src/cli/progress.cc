#include "cli/progress.h"

#include <fmt/format.h>

#include "cli/terminal.h"
#include "report/printable.h"

namespace snarl::cli {
namespace {

constexpr double kPlainInterval = 10;  // seconds

}  // namespace

std::string progress_text(const report::Progress& progress) {
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
  } else if (progress.seconds - last_plain_ >= kPlainInterval) {
    tell(fmt::format("snarl: {}\n", progress_text(progress)));
    last_plain_ = progress.seconds;
  }
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
