// How fast the runs of an exploration come: for the live line, and for the time that the self-check will need. Pure.
#pragma once

#include <cstdint>

namespace snarl::explore {

class Pace {
 public:
  static constexpr double kInterval = 0.1;  // seconds between two lines

  // A run is over, a profiling run too.
  void note_run(double seconds) {
    run_seconds_ += seconds;
    ++runs_;
  }
  bool any_run() const { return runs_ != 0; }
  // Of a run; 0 if there was none.
  double mean_seconds() const { return runs_ != 0 ? run_seconds_ / static_cast<double>(runs_) : 0; }

  // `now`: seconds since the start.
  bool is_due(double now) const { return now - told_ >= kInterval; }
  // Schedules per second, smoothed over about a second. Call it when it is_due().
  double tell(double now, uint64_t schedules) {
    const double fresh = (static_cast<double>(schedules) - static_cast<double>(told_schedules_)) / (now - told_);
    rate_ = rate_ == 0 ? fresh : rate_ * 0.9 + fresh * 0.1;
    told_ = now;
    told_schedules_ = schedules;
    return rate_;
  }
  // Schedules are counted from 0 again.
  void begin_anew() { told_schedules_ = 0; }

 private:
  double run_seconds_ = 0;
  uint64_t runs_ = 0;
  double told_ = 0, rate_ = 0;
  uint64_t told_schedules_ = 0;
};

}  // namespace snarl::explore
