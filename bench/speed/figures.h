// What `snarl_bench speed` measures, as data, and the pages that are made of it. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace snarl::bench {

constexpr int kRuns = 42, kRounds = 10;

struct Curves {
  std::vector<std::vector<int>> each;       // by round and run: pairs of that run
  std::vector<std::vector<int>> cumulated;  // by round and run: different pairs of all runs so far
  int in_all = 0;                           // different pairs of all rounds
};

struct Subject {
  std::string name;
  int lines = 0;
  uint32_t threads = 0;
  uint64_t steps = 0;
  int first = 0;    // the first of the 42 vectors that fails, from 1; 0: none does
  int failing = 0;  // of the 42 vectors
  int pct = 0;      // of 42 runs of pct
  int patched = 0;  // failures of the patched build under the 42 vectors
  double p = 1;     // rank test of the rounds' totals
  Curves speed, pct_pairs;
};

std::vector<double> totals_of(const Curves& curves);  // by round

std::string csv_of(const std::vector<Subject>& subjects);
// Figure 5: for each subject the pairs of each run of the first round, and the cumulated ones of all rounds.
std::string plot_of(const std::vector<Subject>& subjects);
// Figure 4: the vectors of the first pair of a basis of three, with the third speed as it was drawn.
std::string samples_plot();

}  // namespace snarl::bench
