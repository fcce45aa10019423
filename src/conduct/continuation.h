// The fair continuation of a run whose step budget is used up, or that seems to spin for good: every enabled thread in
// turn, again and again. A program that ends under a fair scheduler ends in it. A run that lasts for ten times the
// budget and only spins is a livelock. Pure bookkeeping; the conductor asks it.
//
// Turns have different lengths, the same in each run: threads that run in lock step fall out of it, and there are few
// switches.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/thread_set.h"

namespace snarl::conduct {

class Continuation {
 public:
  static constexpr Step kTimes = 10;               // the budget
  static constexpr Step kUsualBudget = 1'000'000;  // where there is none
  static constexpr uint32_t kLongestTurn = 64;     // steps

  void begin_run() { left_ = 0; }

  bool is_on() const { return left_ != 0; }
  void start(Step budget, ThreadId at) {
    left_ = kTimes * (budget == 0 ? kUsualBudget : budget);
    whose_ = at;
    turn_ = 0;
    draw_ = 1;
  }
  // One more choice. True: it has lasted long enough.
  bool is_over() { return --left_ == 0; }

  // The thread that takes the next step; `at` took the last one. At least one thread is enabled.
  ThreadId next(const ThreadSet& enabled, ThreadId at) {
    if (turn_ != 0 && at == whose_ && enabled.has(at)) {
      --turn_;
      return at;
    }
    draw_ = draw_ * 6364136223846793005 + 1442695040888963407;  // Knuth's generator: nothing depends on its quality
    turn_ = static_cast<uint32_t>(draw_ >> 32) % kLongestTurn;
    whose_ = after(enabled, whose_);
    return whose_;
  }

 private:
  // The next member in the order of slots, round and round.
  static ThreadId after(const ThreadSet& set, ThreadId last) {
    ThreadId found = kNoThread;
    if (last != kNoThread)
      set.for_each([&](ThreadId t) {
        if (found == kNoThread && t > last) found = t;
      });
    return found != kNoThread ? found : set.first();
  }

  Step left_ = 0;  // choices; 0: it has not started
  ThreadId whose_ = kNoThread;
  uint32_t turn_ = 0;  // steps that are left of it
  uint64_t draw_ = 0;
};

}  // namespace snarl::conduct
