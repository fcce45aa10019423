// What hashing partial orders costs of a schedule: with it and without, in turn, so that what else the machine does
// meets both.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

constexpr int kRounds = 9;
constexpr double kLimit = 0.03;

// `rate(orders)`: schedules per CPU second, with orders "on" or "off"; the best of each counts.
void compare(const std::string& what, const std::function<double(const std::string&)>& rate) {
  double on = 0, off = 0;
  for (int i = 0; i < kRounds; ++i) {
    off = std::max(off, rate("off"));
    on = std::max(on, rate("on"));
  }
  if (on == 0 || off == 0) return failed(what);
  const double cost = off / on - 1;
  row(what, fmt::format("{:.1f} % ({:.0f} / {:.0f})", 100 * cost, on, off), "<= 3 %", cost / kLimit);
}

double library_rate(const std::string& policy, const std::string& orders) {
  setenv("SNARL_ORDERS", orders.c_str(), 1);
  const double rate = std::atof(answer_of("bench_library", policy).text.c_str());
  unsetenv("SNARL_ORDERS");
  return rate;
}

double fork_rate(const std::string& program, const std::string& words, const std::string& arguments) {
  const auto summary = explore(arguments, program, words);
  if (summary.is_discarded()) return 0;
  return summary["schedules"].get<double>() / summary["cpu_seconds"].get<double>();
}

}  // namespace

void measure_orders() {
  for (const std::string policy : {"pct:depth=3", "random"}) {
    compare(fmt::format("partial orders: library mode, small, {}", policy),
            [&](const std::string& orders) { return library_rate(policy, orders); });
    compare(fmt::format("partial orders: fork server, small, {}", policy), [&](const std::string& orders) {
      return fork_rate("bench_small", {}, fmt::format("-j 1 -p {} -n 4000 --orders {}", policy, orders));
    });
    compare(fmt::format("partial orders: fork server, 1,001 points, {}", policy), [&](const std::string& orders) {
      return fork_rate("bench_many_points", "1001", fmt::format("-j 1 -p {} -n 1000 --orders {}", policy, orders));
    });
  }
}

}  // namespace snarl::bench
