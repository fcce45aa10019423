// When a run has taken too long. Time in which it was ready to go on and got no core does not count: that is the
// machine's doing, and a replay on a busy one must end as it does on an idle one.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace snarl::explore {

// How the threads of a run share cores: serial runs need one, in parallel ones they also wait for each other's.
enum class Sharing { kInTurn, kSideBySide };

// What the kernel says of a process's threads, those that are there. Where it does not count, there is nothing.
struct CoreUse {
  double waited = 0;  // seconds that they have waited for a core, one after the other, or side by side the one that
                      // waited longest; a wait that is not over is not in it yet

  struct Ready {
    pid_t thread;
    uint64_t ran;  // nanoseconds that it has had a core
    bool operator==(const Ready&) const = default;
  };
  std::vector<Ready> ready;  // those that run, or wait for a core
};
CoreUse core_use_of(pid_t pid, Sharing sharing);

class TimeLimit {
 public:
  // A process that gets a twentieth of a core still has its whole time; one that gets none ends all the same.
  static constexpr double kMostProlonged = 20;  // times the limit
  // Seconds between looks at a run that is late. Threads side by side that are all at work have a core now and then.
  static constexpr double kInterval = 0.01, kIntervalSideBySide = 0.25;
  // If the first look comes so much too late, in seconds, the machine stood still for us, and perhaps for the run since
  // long before: no time until then counts.
  static constexpr double kStandstill = 1;

  // On the clock of now_seconds(). `waited`: by the same process, before this run.
  void begin(double now, double seconds, Sharing sharing, double waited = 0) {
    began_ = now;
    seconds_ = seconds;
    interval_ = sharing == Sharing::kInTurn ? kInterval : kIntervalSideBySide;
    waited_before_ = waited;
    look_at_ = now + seconds;
    looked_.reset();
  }
  // When is_over() is to be asked next.
  double look_at() const { return look_at_; }

  bool is_over(double now, const CoreUse& use) {
    if (!looked_ && now - look_at_ > kStandstill) waited_before_ -= now - began_;
    // A wait that is not over began after the last look, if it ran since: we may have been late, too.
    const double waited = use.waited - waited_before_ + (!use.ready.empty() && looked_ ? now - *looked_ : 0);
    const double latest = began_ + std::min(seconds_ + waited, seconds_ * kMostProlonged);
    const bool waits = somebody_waits(use);
    ready_ = use.ready;
    looked_ = now;
    look_at_ = std::max(latest, now + interval_);
    return now > latest && (!waits || now > began_ + seconds_ * kMostProlonged);
  }

 private:
  // In this very moment, as far as we know: it was ready at the last look, too, and has not had a core since.
  bool somebody_waits(const CoreUse& use) const {
    if (!looked_) return !use.ready.empty();
    return std::any_of(use.ready.begin(), use.ready.end(), [this](const CoreUse::Ready& now) {
      return std::find(ready_.begin(), ready_.end(), now) != ready_.end();
    });
  }

  double began_ = 0, seconds_ = 0, interval_ = kInterval, waited_before_ = 0, look_at_ = 0;
  std::optional<double> looked_;       // when the last look was ...
  std::vector<CoreUse::Ready> ready_;  // ... and what it saw
};

}  // namespace snarl::explore
