// Starvation freedom: with a small chance, a step is not the policy's choice.
//
// Wraps whatever decides, plan or policy. The conductor asks it which step is the next to be overridden, so the steps
// between cost nothing. It has its own random stream, so the policy draws the same with and without it.
#pragma once

#include <cstdint>

#include "base/anew.h"
#include "base/ids.h"
#include "base/rng.h"
#include "base/thread_set.h"
#include "schedule/run.h"

namespace snarl::conduct {

constexpr Step kNever = ~Step{0};

class Fairness {
 public:
  void begin(const Run& run) {
    begin(run.settings.fairness, Rng::seed_of(run.key.seed, run.key.index, Stream::kFairness));
  }

  void begin(double chance, uint64_t seed) {
    overrides_ = 0;
    next_ = kNever;
    is_known_ = true;
    if (chance <= 0) return;
    if (chance != chance_) {
      chance_ = chance;
      quiet_first_ = quiet_for(kFirstBlock);
    }
    seed_ = seed;
    draws_ = 0;
    search(0);
  }

  // The choices before the steps up to this one are left alone; perhaps later ones are, too.
  Step next() const { return next_; }
  uint64_t overrides() const { return overrides_; }

  // Is the choice after `step` steps to be overridden?
  bool is_due(Step step) {
    while (__builtin_expect(next_ <= step, 0) && !is_known_) look_at_block();
    return next_ <= step;
  }

  // The choice after `step` steps is due, and the caller makes it.
  void made_at(Step step) {
    search(step + 1);
    ++overrides_;
  }

  // The choice after `step` steps is due: any of `others`, or kNoThread if there are none.
  ThreadId override_at(Step step, const ThreadSet& others) {
    search(step + 1);
    if (others.empty()) return kNoThread;
    ++overrides_;
    return others.nth(static_cast<int>(rng().below(static_cast<uint64_t>(others.size()))));
  }

 private:
  static constexpr Step kFirstBlock = 64;

  // The first number is drawn without it, and most runs need no other.
  Rng& rng() {
    if (draws_ == 1) make_anew(rng_, seed_).next();
    draws_ = 2;
    return rng_;
  }
  double uniform() {
    const uint64_t drawn = draws_ == 0 ? Rng::first(seed_) : rng().next();
    if (draws_ == 0) draws_ = 1;
    return static_cast<double>(drawn >> 11) * 0x1p-53;
  }

  // The number of steps before the next override is geometric. It is drawn without a logarithm, so that every machine
  // draws the same: blocks double in length until one has an override in it, which is then found by halving the block.
  // Draws are made when the run gets there, so short runs draw once.
  void search(Step from) {
    next_ = from;
    length_ = kFirstBlock;
    quiet_ = quiet_first_;
    is_known_ = false;
    look_at_block();
  }

  // The block [next_, next_ + length_) has no override with the chance quiet_.
  [[gnu::noinline]] void look_at_block() {
    if (uniform() >= quiet_) {
      next_ += place_in(length_);
      is_known_ = true;
    } else if (length_ > kNever / 4) {
      next_ = kNever;
      is_known_ = true;
    } else {
      next_ += length_;
      length_ *= 2;
      quiet_ *= quiet_;
    }
  }

  // Where in a block of 2^i steps, known to have an override, the first is: in the first half with
  // (1 - q^m) / (1 - q^2m) = 1 / (1 + q^m).
  [[gnu::noinline]] Step place_in(Step length) {
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

  Rng rng_{Rng::Later()};  // from the second draw on
  uint64_t seed_ = 0;
  int draws_ = 0;  // 2: two or more
  double chance_ = 0;
  double quiet_first_ = 1;  // chance that a first block has no override
  Step next_ = kNever;      // the next override, if known; otherwise a lower limit for it
  bool is_known_ = true;
  Step length_ = 0;   // of the block that is drawn when the run gets there
  double quiet_ = 1;  // chance that it has no override
  uint64_t overrides_ = 0;
};

}  // namespace snarl::conduct
