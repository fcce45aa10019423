// Notices that a program without our runtime hangs: all its threads sleep, and none of them can be woken by itself or
// by time. So nobody waits for the end of its time for nothing.
#pragma once

#include <sys/types.h>

namespace snarl::explore {

// Does every thread of the process wait for another one (in futex calls without a time), and has it no child that
// might wake it? False also where the kernel does not tell.
bool sleeps_for_good(pid_t pid);

class SleepWatch {
 public:
  // A signal may still come, which nobody sees from outside: so long we wait for one.
  static constexpr double kLongEnough = 0.5;  // seconds
  static constexpr double kInterval = 0.05;

  // On the clock of now_seconds().
  void begin(double now) {
    awake_at_ = now;
    next_look_ = now + kInterval;
  }
  double next_look() const { return next_look_; }

  // True once it has slept for long enough. `sleeps` is asked only when it is time for a look.
  template <typename Sleeps>
  bool look(double now, Sleeps&& sleeps) {
    if (now < next_look_) return false;
    next_look_ = now + kInterval;
    if (!sleeps()) awake_at_ = now;
    return now - awake_at_ >= kLongEnough;
  }

 private:
  double awake_at_ = 0;  // when it was last seen so
  double next_look_ = 0;
};

}  // namespace snarl::explore
