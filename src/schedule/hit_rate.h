// How sure a hit rate is: the exact (Clopper-Pearson) confidence interval of a binomial rate.
//
// `hits` of `runs` independent runs hit. The interval holds every rate p for which neither so many hits
// nor so few would have been a surprise: P(X >= hits | low) = P(X <= hits | high) = (1 - confidence) / 2.
// It covers the true rate with at least that confidence, whatever the rate is. Pure.
#pragma once

#include <cstdint>

namespace snarl {

struct RateInterval {
  double low = 0;
  double high = 1;
};

// No runs: 0 to 1, as nothing is known.
RateInterval exact_interval(uint64_t hits, uint64_t runs, double confidence = 0.95);

// The regularised incomplete beta function I_x(a, b), the distribution function of Beta(a, b); a, b > 0.
double incomplete_beta(double x, double a, double b);

}  // namespace snarl
