#include <fmt/format.h>

#include <algorithm>

#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

constexpr double kMostGrowth = 100;  // MB, of a schedule of ten million points above a short one

void measure_threads() {
  for (const char* policy : {"random", "pct:depth=3"}) {
    const std::string what = fmt::format("1,000 threads at once, {}", policy);
    const auto summary = explore(fmt::format("-j 1 -n 20 -p {}", policy), "bench_thousand");
    if (summary.is_discarded() || summary["schedules"] != 20 || !summary["findings"].empty()) {
      failed(what);
      continue;
    }
    row(what, fmt::format("{:.1f} schedules/s", summary["schedules"].get<double>() / summary["seconds"].get<double>()));
  }
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
