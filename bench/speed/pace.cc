// What speed control costs real work: the kernels with 8 threads at the same time, at equal speeds and over the sampled
// vectors. The policies take turns, so that what else the machine does meets all.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "../hunt/score.h"
#include "../measure.h"
#include "../tables.h"

namespace snarl::bench {
namespace {

constexpr int kVectors = 42, kNativeRuns = 5;
constexpr const char* kKernels[] = {"pipeline", "histogram", "matrix", "stealing"};
// Main and the eight threads that it makes.
constexpr const char* kEqual = "speed:mode=parallel,vector=1,1,1,1,1,1,1,1,1";

double native_seconds(const std::string& program) {
  std::vector<double> times;
  for (int i = 0; i < kNativeRuns; ++i) times.push_back(alone(program).seconds);
  std::nth_element(times.begin(), times.begin() + kNativeRuns / 2, times.end());
  return times[kNativeRuns / 2];
}

}  // namespace

void measure_pace() {
  std::vector<double> equal, sampled;
  for (const char* kernel : kKernels) {
    const std::string program = fmt::format("bench_{}", kernel);
    const double native = native_seconds(program);
    const auto summary = explore(fmt::format("-j 1 --config '' --steps 0 --keep-going --timeout 60s -t 600s -n {} -p "
                                             "{} -p speed:mode=parallel",
                                             2 * kVectors, kEqual),
                                 program);
    if (summary.is_discarded() || summary["failing_schedules"] != 0) {
      failed(fmt::format("{} under speed control", kernel));
      continue;
    }
    std::vector<double> ratios;
    for (const auto& policy : summary["policy"])
      ratios.push_back(policy["seconds"].get<double>() / policy["schedules"].get<double>() / native);
    row(fmt::format("speed control of {} ({:.0f} ms alone)", kernel, native * 1000),
        fmt::format("equal {:.2f}x, {} vectors {:.2f}x", ratios[0], kVectors, ratios[1]));
    equal.push_back(ratios[0]);
    sampled.push_back(ratios[1]);
  }
  if (equal.empty()) return;
  const double at_equal = geometric_mean(equal), at_sampled = geometric_mean(sampled);
  row("speed control at equal speeds against the program alone", fmt::format("{:.2f}x", at_equal), "<= 2x",
      at_equal / 2);
  row("  over the sampled vectors", fmt::format("{:.2f}x", at_sampled), "<= 4x", at_sampled / 4);
}

}  // namespace snarl::bench
