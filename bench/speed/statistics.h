// Medians, quartiles, and the rank test. Pure.
#pragma once

#include <vector>

namespace snarl::bench {

struct Quartiles {
  double low = 0, median = 0, high = 0;
};

// Of at least one number; between two, halfway as far as the rank says.
Quartiles quartiles_of(std::vector<double> numbers);

// Mann-Whitney's test of whether `a` tends to be greater than `b`, two-sided and exact, ties included: the part of all
// ways to share out the same numbers that are at least as uneven. For ten against ten there are 184,756.
double rank_test(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace snarl::bench
