// Steps drawn before a run, in order, and a cursor that walks along them.
#pragma once

#include <algorithm>
#include <span>

#include "base/arena.h"
#include "base/ids.h"
#include "base/rng.h"

namespace snarl::policy {

class StepList {
 public:
  // `count` steps, independent and uniform in 1..last; the same one may come twice.
  void draw(size_t count, Step last, Rng& rng, Arena& arena) {
    steps_ = arena.array<Step>(count);
    for (Step& step : steps_) step = 1 + rng.below(last);
    std::sort(steps_.begin(), steps_.end());
  }

  // `count` different ones (all of 1..last, if there are no more), every set equally likely.
  void draw_different(size_t count, Step last, Rng& rng, Arena& arena) {
    steps_ = arena.array<Step>(std::min<Step>(count, last));
    for (size_t i = 0; i < steps_.size(); ++i) do
        steps_[i] = 1 + rng.below(last);
      while (std::find(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(i), steps_[i]) !=
             steps_.begin() + static_cast<std::ptrdiff_t>(i));
    std::sort(steps_.begin(), steps_.end());
  }

  // How many of them are this step; those before it are passed by.
  int passed(Step now) {
    int count = 0;
    for (; at_ < steps_.size() && steps_[at_] <= now; ++at_) count += steps_[at_] == now;
    return count;
  }

  // How many further steps after the next one come before one of them.
  Step quiet_after(Step now) const { return at_ == steps_.size() ? ~Step{0} : steps_[at_] - now - 1; }

 private:
  std::span<Step> steps_;
  size_t at_ = 0;
};

}  // namespace snarl::policy
