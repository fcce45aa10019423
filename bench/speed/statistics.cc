#include "statistics.h"

#include <algorithm>
#include <cmath>

namespace snarl::bench {
namespace {

// Twice the rank of each number, the mean of those that are equal.
std::vector<long> double_ranks(const std::vector<double>& numbers) {
  std::vector<long> ranks;
  for (double x : numbers) {
    const auto below = std::count_if(numbers.begin(), numbers.end(), [x](double y) { return y < x; });
    const auto equal = std::count(numbers.begin(), numbers.end(), x);
    ranks.push_back(2 * below + equal + 1);
  }
  return ranks;
}

}  // namespace

Quartiles quartiles_of(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const auto at = [&](double part) {
    const double place = part * static_cast<double>(numbers.size() - 1);
    const auto low = static_cast<size_t>(place);
    const size_t high = std::min(low + 1, numbers.size() - 1);
    return numbers[low] + (numbers[high] - numbers[low]) * (place - std::floor(place));
  };
  return {at(0.25), at(0.5), at(0.75)};
}

double rank_test(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all = a;
  all.insert(all.end(), b.begin(), b.end());
  const std::vector<long> ranks = double_ranks(all);
  long sum = 0;
  for (long rank : ranks) sum += rank;
  // ways[n][s]: how many choices of n numbers have the sum s of their ranks.
  std::vector<std::vector<double>> ways(a.size() + 1, std::vector<double>(static_cast<size_t>(sum) + 1));
  ways[0][0] = 1;
  for (long rank : ranks)
    for (size_t n = a.size(); n > 0; --n)
      for (size_t s = static_cast<size_t>(sum) + 1; s-- > static_cast<size_t>(rank);)
        ways[n][s] += ways[n - 1][s - static_cast<size_t>(rank)];
  long mine = 0;
  for (size_t i = 0; i < a.size(); ++i) mine += ranks[i];
  const double middle = static_cast<double>(sum) * static_cast<double>(a.size()) / static_cast<double>(all.size());
  const double far = std::abs(static_cast<double>(mine) - middle);
  double extreme = 0, total = 0;
  for (size_t s = 0; s < ways[a.size()].size(); ++s) {
    total += ways[a.size()][s];
    if (std::abs(static_cast<double>(s) - middle) >= far - 1e-9) extreme += ways[a.size()][s];
  }
  return extreme / total;
}

}  // namespace snarl::bench
