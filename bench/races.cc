// What looking for races costs: of the rate of an exploration, and of one run against the compilers' ThreadSanitizer on
// the same programs, in turn, so that what else the machine does meets all.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

constexpr int kRounds = 5;
constexpr double kLeastRate = 0.7;

double rate(const char* words, const char* races) {
  const auto summary =
      explore(fmt::format("-j 1 -p random -n 1500 --points memory --races {}", races), "bench_races_gcc_snarl", words);
  return summary.is_discarded() ? 0 : summary["schedules"].get<double>() / summary["cpu_seconds"].get<double>();
}

void compare_rates(const char* words) {
  double on = 0, off = 0;
  for (int i = 0; i < kRounds; ++i) {
    off = std::max(off, rate(words, "off"));
    on = std::max(on, rate(words, "report"));
  }
  const std::string what = fmt::format("exploring with races, {}", words);
  if (on == 0 || off == 0) return failed(what);
  row(what, fmt::format("{:.2f} of without ({:.0f} / {:.0f} per CPU second)", on / off, on, off),
      fmt::format(">= {}", kLeastRate), kLeastRate * off / on);
}

struct Cost {
  double cpu = 1e18;
  long kb = 0;
  bool good = true;

  void note(const Output& run) {
    cpu = std::min(cpu, run.cpu_seconds);
    kb = std::max(kb, run.peak_kb);
    good &= run.good;
  }
};

struct Kernel {
  Cost ours, tsan;
  double ratio() const { return ours.cpu / tsan.cpu; }
};

Kernel measure(const std::string& kernel, const std::string& compiler) {
  const std::string program = "bench_races_" + compiler;
  Kernel result;
  for (int i = 0; i < 3; ++i) {
    result.tsan.note(alone(program + "_tsan", kernel));
    result.ours.note(snarl("run --once --steps 0 --switching fibers -p pct:depth=2 --points sync --races report",
                           program + "_snarl", kernel));
  }
  return result;
}

void compare_with_tsan(const std::string& compiler, double limit) {
  double product = 1;
  int count = 0;
  for (const std::string kernel : {"matrix", "histogram", "list", "strings", "pipeline", "mutexes"}) {
    const Kernel k = measure(kernel, compiler);
    const std::string what = fmt::format("one run with races against {}'s TSan, {}", compiler, kernel);
    if (!k.ours.good || !k.tsan.good) return failed(what);
    const std::string text = fmt::format("{:.2f}x CPU ({:.2f} / {:.2f} s), {:.2f}x memory", k.ratio(), k.ours.cpu,
                                         k.tsan.cpu, static_cast<double>(k.ours.kb) / static_cast<double>(k.tsan.kb));
    if (kernel == "mutexes") {
      row(what, text, "<= 0.5x", k.ratio() / 0.5);
      continue;
    }
    row(what, text);
    product *= k.ratio();
    ++count;
  }
  const double mean = std::pow(product, 1.0 / count);
  row(fmt::format("  geometric mean without mutexes, {}", compiler), fmt::format("{:.2f}x", mean),
      fmt::format("<= {}x", limit), mean / limit);
}

}  // namespace

void measure_races() {
  for (const char* words : {"small", "shared"}) compare_rates(words);
  measure_prediction();
  compare_with_tsan("gcc", 1.0);
  compare_with_tsan("clang", 1.3);
}

}  // namespace snarl::bench
