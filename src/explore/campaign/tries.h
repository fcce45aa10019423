// What runs that vary a failed one have in common: those that look for a shorter schedule, or for the cause.
#pragma once

#include <functional>

#include "explore/execute/order.h"
#include "explore/target/setup.h"
#include "record/record.h"
#include "report/progress.h"

namespace snarl::explore {

// False: each try would take too long (time-outs, hangs, livelocks), the log of the run was cut, or it does not repeat.
bool can_be_tried(const record::RunRecord& failed);

// Seconds that a try has: one that takes much longer than the failed run hardly fails in the same way.
double time_of_try(const record::RunRecord& failed, const Setup& setup);

// Another run with the same points as the failed one.
RunOrder order_like(const record::RunRecord& failed, const RunSettings& settings);

// Tells how far the tries have come, ten times per second at most.
class TryTeller {
 public:
  using Tell = std::function<void(const report::Progress&)>;

  // Nobody is told if `tell` is empty.
  TryTeller(report::Phase phase, Tell tell);

  // Another try was made; `size`: as in report::Progress.
  void tried(uint64_t size);

 private:
  Tell tell_;
  report::Progress progress_;
  double began_;
  double told_ = 0;  // seconds after that
};

}  // namespace snarl::explore
