// Library mode: schedules of a small body in one process.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

constexpr int kTimes = 15;

using Costs = std::map<std::string, std::vector<double>>;  // by name, of all times

void add_costs(const std::string& points, int schedules, Costs& costs) {
  Smallest one;
  keep_smallest(one, answer_of("bench_library", fmt::format("cost {} {}", points, schedules)).text);
  for (const auto& [name, cost] : one) costs[name].push_back(cost);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Points at atomic instructions are on by default: a body without any must not pay for them. In turn, because what one
// costs is much more than the difference.
void measure_default_points(int schedules) {
  constexpr double kMost = 5;  // ms
  Costs calls, all;
  for (int i = 0; i < kTimes; ++i) {
    add_costs("sync", schedules, calls);
    add_costs("sync,atomic", schedules, all);
  }
  if (calls.size() != 2 || all.size() != 2) return failed("library mode, default points");
  for (const auto& [name, alone] : calls) {
    const double added = median(all.at(name)) - median(alone);
    row(fmt::format("library mode, {} schedules without atomics, default points over sync, {}", schedules, name),
        fmt::format("{:+.1f} ms ({:.1f})", added, median(alone)), fmt::format("<= {:g} ms", kMost), added / kMost);
  }
}

}  // namespace

void measure_library() {
  constexpr double kLimit = 700'000;  // the peer Relacy, whose tests must be written for it, does 770,000 to 1,050,000
  for (const char* policy : {"pct:depth=3", "random"}) {
    double best = 0;
    for (int i = 0; i < 5; ++i) best = std::max(best, std::atof(answer_of("bench_library", policy).text.c_str()));
    const std::string what = fmt::format("library mode, small, {}", policy);
    if (best == 0)
      failed(what);
    else if (policy[0] == 'p')
      row(what, fmt::format("{:.0f} schedules per CPU s", best), ">= 700,000", kLimit / best);
    else
      row(what, fmt::format("{:.0f} schedules per CPU s", best));
  }
  for (int schedules : {100, 10'000}) measure_default_points(schedules);
}

}  // namespace snarl::bench
