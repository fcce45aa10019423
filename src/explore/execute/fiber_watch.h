// Looks after a run on fibers from outside: if its one OS thread sleeps in a call that the runtime knows nothing of, or
// computes without reaching a schedule point, nobody inside can do anything about it. (On gates, waiting threads
// look after the running one: runtime/watch/watchdog.h.)
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "wire/layout.h"

namespace snarl::explore {

// What one look at the process shows.
struct Sight {
  uint64_t arrivals = 0;
  uint32_t live = 0;   // threads; 0: ours are not there (yet, or any more)
  bool waits = false;  // for something outside, as it should
  bool asleep = false;
  uint64_t cpu_time = 0;  // nanoseconds
  uint64_t written = 0;   // bytes that we have read from it
};

class FiberWatch {
 public:
  enum class Verdict {
    kFine,
    kBlocked,   // asleep, while others might run
    kRunsAway,  // tell it to give way, if there is somebody to give way to
  };

  void begin(const Patience& patience, double now);

  // On the clock of now_seconds().
  double next_look() const { return next_look_; }

  // `see` is asked for the rest only if no schedule point was reached since the last look.
  template <typename See>
  Verdict look(double now, uint64_t arrivals, See&& see) {
    if (arrivals == arrivals_) return judge(now, see());
    arrivals_ = arrivals;
    suspects_ = false;
    next_look_ = now + kInterval;
    return Verdict::kFine;
  }

 private:
  static constexpr double kInterval = 0.010;  // seconds, while schedule points are reached
  static constexpr uint64_t kAlone =
      30'000'000;  // ns of CPU time; one that is alone is stopped to see whether it runs in a circle
  static constexpr double kCloseInterval = 0.001;  // while they are not: once a millisecond

  Verdict judge(double now, const Sight& sight);

  Patience patience_;
  double next_look_ = 0;
  uint64_t arrivals_ = ~uint64_t{0};
  bool suspects_ = false;  // an earlier look since the last arrival set the next two
  uint32_t sleeping_looks_ = 0;
  uint64_t cpu_at_first_look_ = 0;
  uint64_t cpu_at_last_look_ = 0;
  uint64_t written_at_last_look_ = 0;
  uint64_t slice_ = 0;
};

// The process as /proc and the wire show it; what it wrote is known to the caller.
Sight see_process(pid_t pid, const wire::Layout& layout, uint64_t written);

}  // namespace snarl::explore
