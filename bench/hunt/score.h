// What attempts to find a bug come to. Pure.
#pragma once

#include <cstddef>
#include <vector>

namespace snarl::bench {

constexpr double kMiss = 10'000;  // schedules that a miss counts for, whatever the limit was

// One exploration of a program, up to its first failure or a limit.
struct Attempt {
  bool found = false;
  bool out_of_time = false;  // a miss before the last of its schedules
  double schedules = 0;      // up to and with the one that failed
  double seconds = 0;        // of CPU time
};

// All seeds of one policy on one program.
struct Score {
  int seeds = 0, found = 0, out_of_time = 0;
  double schedules = 0;  // geometric mean, where a miss counts for kMiss
  double seconds = 0;    // of CPU time, of all

  bool always() const { return seeds > 0 && found == seeds; }
};

double geometric_mean(const std::vector<double>& values);

Score score_of(const std::vector<Attempt>& attempts);

// The contender with the fewest schedules, among those that made an attempt; the first of equals.
size_t best_of(const std::vector<Score>& scores);

// How much of "at most three times the best, and five schedules more" is used up: above 1 it is too far behind.
double behind(const Score& ours, const Score& best);

}  // namespace snarl::bench
