// When a run has taken too long. Time in which it was ready to go on and got no core does not count: that is the
// machine's doing, and a replay on a busy one must end as it does on an idle one.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace snarl {

// What the kernel says of a process's threads, those that are there. Where it does not count, all is zero.
struct CoreUse {
  double waited = 0;   // seconds that they have waited for a core; a wait that is not over is not in it yet
  uint64_t ran = 0;    // nanoseconds that they have had one
  bool ready = false;  // one of them runs, or waits for a core
};
CoreUse core_use_of(pid_t pid);

class TimeLimit {
 public:
  // A process that gets a twentieth of a core still has its whole time; one that gets none ends all the same.
  static constexpr double kMostProlonged = 20;  // times the limit
  static constexpr double kInterval = 0.01;     // seconds between looks at a run that is late

  // On the clock of now_seconds(). `waited`: by the same process, before this run.
  void begin(double now, double seconds, double waited = 0) {
    began_ = now;
    seconds_ = seconds;
    waited_before_ = waited;
    look_at_ = now + seconds;
    ran_.reset();
  }
  // When is_over() is to be asked next.
  double look_at() const { return look_at_; }

  bool is_over(double now, const CoreUse& use) {
    // A wait that is not over began after the last look, if it ran since: we may have been late, too.
    const double waited = use.waited - waited_before_ + (use.ready && ran_ ? now - looked_ : 0);
    const double latest = began_ + std::min(seconds_ + waited, seconds_ * kMostProlonged);
    const bool waits = use.ready && ran_.value_or(use.ran) == use.ran;  // in this very moment, as far as we know
    ran_ = use.ran;
    looked_ = now;
    look_at_ = std::max(latest, now + kInterval);
    return now > latest && (!waits || now > began_ + seconds_ * kMostProlonged);
  }

 private:
  double began_ = 0, seconds_ = 0, waited_before_ = 0, look_at_ = 0;
  std::optional<uint64_t> ran_;  // at the last look, which was at
  double looked_ = 0;
};

}  // namespace snarl
