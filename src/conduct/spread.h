// Whether the threads of a parallel run are better off on one core. Where they only hand on to each
// other, one at a time, waking a thread on another core takes longer than running at the same time gains.
//
// Pure: told the time, in nanoseconds, of what happens at the desk, one caller at a time.
#pragma once

#include <cstdint>

namespace snarl::conduct {

class Spread {
 public:
  // A handoff between two threads takes so much longer across cores (measured: 18 to 30 us against 2.7).
  static constexpr uint64_t kFarWake = 15'000;
  // Wakes between two looks: few enough to notice a phase that takes milliseconds.
  static constexpr uint64_t kWindow = 64;
  // Two that could run side by side for so long without anybody coming to the desk are at work.
  static constexpr uint64_t kLongest = 2'000'000;

  bool gathered() const { return gathered_; }

  // Must the desk say how many can run now, and when? Spares it the look at the clock.
  bool wants_to_know(int running) const { return (running > 1) != overlaps_ || wakes_ >= kWindow; }

  void woke() { ++wakes_; }

  // From now on so many can run. True if the answer of gathered() has changed.
  bool changed(int running, uint64_t now) {
    pass(now);
    overlaps_ = running > 1;
    return wakes_ >= kWindow && judge();
  }

  // Nobody may have come for long. As changed().
  bool looked(uint64_t now) { return gathered_ && overlaps_ && now - since_ > kLongest && scatter(); }

  // Whatever the answer was: side by side.
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

  // Two side by side save half of the time in which they are. The factor of two between the answers
  // keeps it from changing its mind at every look.
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
