// The chance that a set of pct runs would have hit a bug, had there been one.
//
// Theorem 9 (PLDI'12): a run of pct with n >= threads and k >= steps hits a bug of depth d with
// probability at least 1/(n k^(d-1)); runs are independent, so all of them miss it with probability at
// most the product of the complements. A run that had more threads or steps than it was planned
// for, or that can't be repeated, counts nothing.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/ids.h"

namespace snarl {

// 1/(n k^(d-1)), the least chance of one run.
inline double hit_chance(uint32_t threads, Step steps, int depth) {
  const double n = threads < 1 ? 1 : threads, k = steps < 1 ? 1 : static_cast<double>(steps);
  return 1 / (n * std::pow(k, depth - 1));
}

class PctBound {
 public:
  explicit PctBound(int depth) : depth_(depth) {}

  // A run that was planned with (n, k) and had so many threads and steps.
  void count(uint32_t planned_threads, Step planned_steps, uint32_t threads, Step steps, bool repeatable) {
    if (!repeatable || threads > planned_threads || steps > planned_steps) return;
    ++counted_;
    log_miss_ += std::log1p(-hit_chance(planned_threads, planned_steps, depth_));  // -inf when one run is sure to hit
  }

  int depth() const { return depth_; }
  uint64_t counted() const { return counted_; }
  double probability() const { return -std::expm1(log_miss_); }

 private:
  int depth_;
  uint64_t counted_ = 0;
  double log_miss_ = 0;  // logarithm of the chance that all counted runs miss
};

}  // namespace snarl
