#include "schedule/hit_rate.h"

#include <cmath>

namespace snarl {
namespace {

// Far more than the terms that are needed: their number grows with the root of a + b, 2^64 runs need about 2^32
// of them in the worst case, a million runs about a thousand. Then the last value is good enough for a report.
constexpr int kMostTerms = 200'000;
constexpr double kExact = 1e-15;
constexpr double kTiny = 1e-300;  // instead of a zero in a denominator

double not_zero(double value) { return std::fabs(value) < kTiny ? kTiny : value; }

double log_gamma(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);
}

// The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), evaluated from the
// front (Lentz). Converges quickly for x < (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  double c = 1;
  double d = 1 / not_zero(1 - (a + b) * x / (a + 1));
  double value = d;
  for (int i = 1; i < kMostTerms; ++i) {
    const double m = i;
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / not_zero(1 + even * d);
    c = not_zero(1 + even / c);
    value *= c * d;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / not_zero(1 + odd * d);
    c = not_zero(1 + odd / c);
    value *= c * d;
    if (std::fabs(c * d - 1) < kExact) break;
  }
  return value;
}

// The x with I_x(a, b) = p. Halving needs no derivative and can't miss; 200 halvings reach any double above 1e-60.
double beta_quantile(double p, double a, double b) {
  double low = 0, high = 1;
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = (low + high) / 2;
    (incomplete_beta(middle, a, b) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

double incomplete_beta(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(x, a, b) / a;
  return 1 - front * beta_fraction(1 - x, b, a) / b;
}

// The binomial tails are incomplete beta functions: P(X >= h | p) = I_p(h, n - h + 1).
RateInterval exact_interval(uint64_t hits, uint64_t runs, double confidence) {
  if (runs == 0) return {};
  const double tail = (1 - confidence) / 2;
  const double h = static_cast<double>(hits), n = static_cast<double>(runs);
  RateInterval interval;
  if (hits > 0) interval.low = beta_quantile(tail, h, n - h + 1);
  if (hits < runs) interval.high = beta_quantile(1 - tail, h + 1, n - h);
  return interval;
}

}  // namespace snarl
