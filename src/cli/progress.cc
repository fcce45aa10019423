#include "cli/progress.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/terminal.h"
#include "report/printable.h"

namespace snarl {
namespace {

constexpr double kPlainInterval = 10;  // seconds

}  // namespace

std::string progress_text(const Progress& progress) {
  const std::string distinct = progress.distinct == 0 ? "" : grouped(progress.distinct) + " distinct  ";  // not known of parallel runs
  return fmt::format("{} schedules  {:.0f}/s  {}{} finding{}  {:.1f} s", grouped(progress.schedules), progress.rate,
                     distinct, progress.findings, progress.findings == 1 ? "" : "s", progress.seconds);
}

void ProgressLine::show(const Progress& progress) {
  if (live_) {
    fmt::print(stderr, "\r\x1b[K{}", progress_text(progress));
    std::fflush(stderr);
    shown_ = true;
  } else if (progress.seconds - last_plain_ >= kPlainInterval) {
    fmt::print(stderr, "snarl: {}\n", progress_text(progress));
    last_plain_ = progress.seconds;
  }
}

void ProgressLine::say(const std::string& line) {
  clear();
  fmt::print(stderr, "snarl: {}\n", printable_line(line));
}

void ProgressLine::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace snarl
