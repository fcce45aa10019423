// For tests of probabilities: exact tails, no library. A test that compares a tail with kByLuck fails a correct
// implementation by luck with a probability below 1e-9 (and, as all seeds are fixed, either always or never).
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

namespace snarl {

constexpr double kByLuck = 1e-9;

// P(Chi-square with `freedom` degrees >= statistic): the regularised upper incomplete
// gamma function Q(a, x), by its series below a + 1 and by its continued fraction above.
inline double chi_square_tail(double statistic, double freedom) {
  const double a = freedom / 2;
  const double x = statistic / 2;
  if (x <= 0) return 1;
  const double scale = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1) {
    double term = 1 / a;
    double sum = term;
    for (double n = a + 1; term > sum * 1e-17; ++n) sum += term *= x / n;
    return 1 - sum * scale;
  }
  double b = x + 1 - a;
  double c = 1e300;
  double d = 1 / b;
  double h = d;
  for (int i = 1; i < 100'000; ++i) {
    const double an = -i * (i - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    h *= c * d;
    if (std::fabs(c * d - 1) < 1e-15) break;
  }
  return h * scale;
}

// The probability of counts at least as far from equal frequencies as these.
inline double uniform_tail(std::span<const uint64_t> counts) {
  double total = 0;
  for (uint64_t count : counts) total += static_cast<double>(count);
  const double expected = total / static_cast<double>(counts.size());
  double statistic = 0;
  for (uint64_t count : counts) {
    const double off = static_cast<double>(count) - expected;
    statistic += off * off / expected;
  }
  return chi_square_tail(statistic, static_cast<double>(counts.size() - 1));
}

// P(X = x) and the two closed tails of X ~ Binomial(n, p), summed term by term (each
// term exact to about 1e-12, all of one sign). 0 < p < 1.
inline double binomial_at(uint64_t n, double p, uint64_t x) {
  const auto log_factorial = [](uint64_t m) { return std::lgamma(static_cast<double>(m) + 1); };
  return std::exp(log_factorial(n) - log_factorial(x) - log_factorial(n - x) + static_cast<double>(x) * std::log(p) +
                  static_cast<double>(n - x) * std::log1p(-p));
}
inline double binomial_at_most(uint64_t n, double p, uint64_t x) {
  double sum = 0;
  for (uint64_t i = 0; i <= x && i <= n; ++i) sum += binomial_at(n, p, i);
  return sum;
}
inline double binomial_at_least(uint64_t n, double p, uint64_t x) {
  double sum = 0;
  for (uint64_t i = x; i <= n; ++i) {
    const double term = binomial_at(n, p, i);
    sum += term;
    if (static_cast<double>(i) > static_cast<double>(n) * p && term < sum * 1e-17) break;
  }
  return sum;
}

// Could `hits` of `runs` come from a rate between `low` and `high`?
inline bool is_rate_within(uint64_t hits, uint64_t runs, double low, double high) {
  return binomial_at_most(runs, low, hits) > kByLuck && (high >= 1 || binomial_at_least(runs, high, hits) > kByLuck);
}

}  // namespace snarl
