// How an exploration goes, and what follows a failure, on stderr: one live line on a terminal; elsewhere and in CI jobs
// a plain line every ten seconds, every two while a failure is shortened or explained, and one per finding.
#pragma once

#include <string>

#include "report/progress.h"

namespace snarl::cli {

class ProgressLine {
 public:
  // live: one line that is written over again and again.
  explicit ProgressLine(bool live) : live_(live) {}
  ~ProgressLine() { clear(); }

  void show(const report::Progress& progress);
  // An event: stays on the screen.
  void say(const std::string& line);
  // Takes the live line away.
  void clear();

 private:
  bool live_;
  bool shown_ = false;
  report::Phase phase_ = report::Phase::kExploring;
  double last_plain_ = 0, last_tries_ = 0;  // seconds at the last plain line: of exploring, of what follows a failure
};

// "1,234 schedules  567/s  89 distinct  12 orders  0 findings  2.1 s"
std::string progress_text(const report::Progress& progress);

}  // namespace snarl::cli
