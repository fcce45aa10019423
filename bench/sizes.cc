#include <fmt/format.h>

#include <algorithm>

#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

constexpr double kMostGrowth = 100;  // MB, of a schedule of ten million points above a short one

// CPU seconds of a schedule, of everything that takes part in it; the best of three. Rewound, as by default all but the
// first ones are. 0: it could not be measured.
double cost(int schedules, const std::string& arguments, const std::string& program, const std::string& words) {
  double best = 1e18;
  for (int i = 0; i < 3; ++i) {
    const auto summary = explore(fmt::format("-j 1 -n {} --reset rewind {}", schedules, arguments), program, words);
    if (summary.is_discarded() || summary["schedules"] != schedules || !summary["findings"].empty()) return 0;
    if (summary["reset"]["kind"] != "rewind") return 0;
    best = std::min(best, summary["cpu_seconds"].get<double>() / schedules);
  }
  return best;
}

void measure_rate(const std::string& what, double each, double limit) {
  if (each == 0) return failed(what);
  row(what, fmt::format("{:.0f} per CPU s", 1 / each), fmt::format(">= {:.0f}", limit), limit * each);
}

// Nanoseconds of a step at a lock that all threads want: what more rounds add, without start and end.
double step_cost(int threads) {
  constexpr int kSteps = 60'000, kStepsOfRound = 3;
  const int few = 3, many = few + kSteps / kStepsOfRound / threads;
  const auto seconds = [&](int rounds) {
    return cost(20, "-p random --steps 0", "bench_crowd", fmt::format("{} {}", threads, rounds));
  };
  const double less = seconds(few), more = seconds(many);
  return less == 0 || more <= less ? 0 : (more - less) * 1e9 / kSteps;
}

void measure_threads() {
  measure_rate("100 threads at once, random", cost(1000, "-p random", "bench_crowd", "100 3"), 1500);
  measure_rate("1,000 threads at once, random", cost(150, "-p random", "bench_crowd", "1000 3"), 60);
  measure_rate("  with small stacks", cost(150, "-p random", "bench_crowd", "1000 3 64"), 60);
  measure_rate("  pct:depth=3", cost(150, "-p pct:depth=3", "bench_crowd", "1000 3"), 60);
  measure_rate("100 threads beside main, memory points",
               cost(300, "-p random --points memory --races off", "bench_crowd_memory", ""), 750);
  const double few = step_cost(10), many = step_cost(1000);
  const std::string what = "a step at 1,000 threads over one at 10, random";
  if (few == 0 || many == 0) return failed(what);
  row(what, fmt::format("{:.1f}x ({:.0f} / {:.0f} ns)", many / few, many, few), "<= 3x", many / few / 3);
}

void measure_long_schedules() {
  for (const char* policy : {"random", "pct:depth=3"}) {
    const std::string arguments = fmt::format("run --once -p {} --steps 0 --timeout 110s", policy);
    const Output small = snarl(arguments, "bench_many_points", "1000");
    const Output large = snarl(arguments, "bench_many_points", "10000000");
    const std::string what = fmt::format("a schedule of 10 million points, {}", policy);
    long long nanoseconds = 0, count = 0;
    if (!small.good || !large.good || std::sscanf(large.text.c_str(), "%lld %lld", &nanoseconds, &count) != 2) {
      failed(what);
      continue;
    }
    const double growth = static_cast<double>(std::max(0L, large.peak_kb - small.peak_kb)) / 1024;
    row(what + ": memory", fmt::format("+{:.0f} MB ({:.0f})", growth, static_cast<double>(large.peak_kb) / 1024),
        fmt::format("<= {:.0f} MB", kMostGrowth), growth / kMostGrowth);
    row(what + ": speed",
        fmt::format("{:.2f} M points/s", static_cast<double>(count) * 1e3 / static_cast<double>(nanoseconds)));
  }
}

}  // namespace

void measure_sizes() {
  measure_threads();
  measure_long_schedules();
}

}  // namespace snarl::bench
