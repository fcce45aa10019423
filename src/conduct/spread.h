// Whether the threads of a parallel run are better off on one core. If they only hand on to each other, one at a time,
// waking a thread on another core costs more than running at the same time gains.
//
// Pure: it is told the time, in nanoseconds, of what happens at the desk, by one caller at a time.
#pragma once

#include <cstdint>

namespace snarl::conduct {

class Spread {
 public:
  // How much longer a handoff between two threads takes across cores, roughly.
  static constexpr uint64_t kFarWake = 15'000;
  // Wakes between two looks: few enough to notice a phase that takes milliseconds.
  static constexpr uint64_t kWindow = 64;
  // Two threads that could run side by side for this long, while no thread comes to the desk, are at work.
  static constexpr uint64_t kLongest = 2'000'000;

  bool gathered() const { return gathered_; }

  // Must the desk say how many threads can run now, and when? Saves a look at the clock.
  bool wants_to_know(int running) const { return (running > 1) != overlaps_ || wakes_ >= kWindow; }

  void woke() { ++wakes_; }

  // From now on this many can run. True if the answer of gathered() has changed.
  bool changed(int running, uint64_t now) {
    pass(now);
    overlaps_ = running > 1;
    return wakes_ >= kWindow && judge();
  }

  // As changed(), for the case that no thread has come for long.
  bool looked(uint64_t now) { return gathered_ && overlaps_ && now - since_ > kLongest && scatter(); }

  // Side by side from now on, whatever the answer was.
  bool scatter() {
    const bool was = gathered_;
    gathered_ = false;
    wakes_ = overlap_ = 0;
    return was;
  }

 private:
  void pass(uint64_t now) {
    if (overlaps_) overlap_ += now - since_;
    since_ = now;
  }

  // Two threads side by side save half of the time in which they are. The factor of two between the answers keeps the
  // answer from changing at every look.
  bool judge() {
    const uint64_t gain = overlap_ / 2, loss = wakes_ * kFarWake;
    const bool was = gathered_;
    gathered_ = was ? gain < loss : gain < loss / 2;
    wakes_ = overlap_ = 0;
    return gathered_ != was;
  }

  bool gathered_ = false, overlaps_ = false;
  uint64_t wakes_ = 0, overlap_ = 0, since_ = 0;
};

}  // namespace snarl::conduct
