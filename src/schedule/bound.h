// The chance that a set of pct runs would have hit a bug of a class, had there been one.
//
// The class (n, k): bugs of depth d whose failing schedules have at most n threads and at most k steps up to the
// failure, and meet none of our mechanisms: a fired deadline, a thread that is passed over, a starvation step, the
// watchdog. Theorem 9 (PLDI'12): a run that was planned with n' >= n and k' >= k hits such a bug with probability at
// least 1/(n' k'^(d-1)), if fairness leaves its first k' steps alone ((1-f)^k') and no deadline comes early in it
// (1-e). So every such run counts, whatever happens in it: leaving out runs for what they drew would leave out those
// that miss. Runs that were planned with smaller values count nothing.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>

#include "base/ids.h"

namespace snarl {

// What a run was planned with.
struct Planned {
  uint32_t threads = 1;  // n'
  Step steps = 1;        // k'
  double fairness = 0;   // f
  auto operator<=>(const Planned&) const = default;

  bool covers(uint32_t n, Step k) const { return threads >= n && steps >= k; }
};

// The least chance of one run.
inline double hit_chance(const Planned& planned, int depth, double early = 0) {
  const double n = planned.threads < 1 ? 1 : planned.threads,
               k = planned.steps < 1 ? 1 : static_cast<double>(planned.steps);
  return (1 - early) * std::pow(1 - planned.fairness, k) / (n * std::pow(k, depth - 1));
}

// How many runs met which of our mechanisms. A bug that shows only where one does is in no class.
struct Met {
  uint64_t time_out = 0;
  uint64_t passed_over = 0;
  uint64_t starvation = 0;
  uint64_t watchdog = 0;

  void add(const Met& other) {
    time_out += other.time_out;
    passed_over += other.passed_over;
    starvation += other.starvation;
    watchdog += other.watchdog;
  }
};

// A class, and what all runs together say about it.
struct Claim {
  uint32_t threads = 0;    // n
  Step steps = 0;          // k
  uint64_t counted = 0;    // runs that were planned with at least these
  Met met;                 // of the counted ones
  double probability = 0;  // a bug of the class would have been found with at least this
};

class PctBound {
 public:
  explicit PctBound(int depth) : depth_(depth) {}

  // A run; `met` has a 1 for each mechanism that it met.
  void count(const Planned& planned, const Met& met) { count(planned, met, 1); }
  // So many runs, which met these together.
  void count(const Planned& planned, const Met& met, uint64_t runs) {
    Runs& all = runs_[planned];
    all.count += runs;
    all.met.add(met);
    counted_ += runs;
  }

  int depth() const { return depth_; }
  uint64_t counted() const { return counted_; }

  // Of the classes that at least half of the runs count for, the largest. `early` is e, the part of the runs in which
  // deadlines may come early; 0 if there are none.
  Claim claim(double early) const {
    Claim best;
    for (const auto& [planned, runs] : runs_) {
      const Claim claim = claim_for(planned.threads, planned.steps, early);
      const bool larger = claim.threads >= best.threads && claim.steps >= best.steps;
      if (best.counted == 0 || (larger && 2 * claim.counted >= counted_)) best = claim;
    }
    return best;
  }

  Claim claim_for(uint32_t n, Step k, double early) const {
    Claim claim{.threads = n, .steps = k, .met = {}};
    double log_miss = 0;  // logarithm of the chance that all of them miss; -inf when one is sure to hit
    for (const auto& [planned, runs] : runs_) {
      if (!planned.covers(n, k)) continue;
      claim.counted += runs.count;
      claim.met.add(runs.met);
      log_miss += static_cast<double>(runs.count) * std::log1p(-hit_chance(planned, depth_, early));
    }
    claim.probability = log_miss == 0 ? 0 : -std::expm1(log_miss);  // never -0
    return claim;
  }

 private:
  struct Runs {
    uint64_t count = 0;
    Met met;
  };

  int depth_;
  uint64_t counted_ = 0;
  std::map<Planned, Runs> runs_;
};

}  // namespace snarl
