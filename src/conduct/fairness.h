// Starvation freedom: with a small chance, a step is not the policy's choice (spec 1).
//
// Wraps whatever decides, plan or policy: the conductor asks it which step is the next to be
// overridden, so that the steps between cost nothing. A random stream of its own, so that the
// policy draws the same with and without it.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/rng.h"
#include "base/thread_set.h"
#include "schedule/run.h"

namespace snarl {

constexpr Step kNever = ~Step{0};

class Fairness {
 public:
  void begin(const Run& run) {
    chance_ = run.fairness;
    overrides_ = 0;
    next_ = kNever;
    if (chance_ <= 0) return;
    rng_ = Rng(run.seed, run.index, Stream::kFairness);
    next_ = gap();
  }

  // The choice before the step after this one is overridden.
  Step next() const { return next_; }
  uint64_t overrides() const { return overrides_; }

  // The choice after `step` steps is due: any of `others`, or kNoThread if there are none. Draws the next one.
  ThreadId override_at(Step step, const ThreadSet& others) {
    const Step more = gap();
    next_ = more > kNever - step - 1 ? kNever : step + 1 + more;
    if (others.empty()) return kNoThread;
    ++overrides_;
    return others.nth(static_cast<int>(rng_.below(static_cast<uint64_t>(others.size()))));
  }

 private:
  double uniform() { return static_cast<double>(rng_.next() >> 11) * 0x1p-53; }

  // How many steps are left alone before the next: geometric. Without a logarithm, so that every
  // machine draws the same: blocks that double in length until one has an override in it, which is
  // then found by halving it. `quiet` is the chance that a block has none.
  Step gap() {
    Step before = 0, length = 1;
    double quiet = 1 - chance_;
    for (; uniform() < quiet; length *= 2, quiet *= quiet) {
      before += length;
      if (length > kNever / 4) return kNever;
    }
    return before + place_in(length);
  }

  // Where in a block of 2^i steps, known to have an override, the first is: in the first half with
  // (1 - q^m) / (1 - q^2m) = 1 / (1 + q^m).
  Step place_in(Step length) {
    Step before = 0;
    while (length > 1) {
      length /= 2;
      if (uniform() * (1 + quiet_for(length)) >= 1) before += length;
    }
    return before;
  }

  // (1 - chance)^steps, steps being a power of two.
  double quiet_for(Step steps) const {
    double quiet = 1 - chance_;
    for (; steps > 1; steps /= 2) quiet *= quiet;
    return quiet;
  }

  Rng rng_;
  double chance_ = 0;
  Step next_ = kNever;
  uint64_t overrides_ = 0;
};

}  // namespace snarl
