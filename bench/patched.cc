// What atomic points of unmodified programs cost: each instruction, and patching a program of a usual size.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "measure.h"
#include "scan/code_flow.h"
#include "tables.h"

namespace snarl::bench {
namespace {

constexpr int kTimes = 5, kStarts = 15;
constexpr double kSpinRate = 1000;                           // schedules per CPU second
constexpr double kPerAtomic = 10, kCold = 200, kCached = 5;  // ns, ms, ms
constexpr const char* kProgram = "/usr/bin/redis-server";

void measure_instructions() {
  Smallest native, patched;
  for (int i = 0; i < kTimes; ++i) {
    keep_smallest(native, answer_of("bench_atomics").text);
    keep_smallest(patched, snarl("run --once --steps 0 -p pct:depth=2 --points sync,atomic", "bench_atomics").text);
  }
  if (native.empty() || native.size() != patched.size()) return failed("patched atomics");
  for (const auto& [name, each] : native) {
    const double added = patched.at(name) - each;
    row(fmt::format("patched atomic without a switch, {}", name), fmt::format("+{:.1f} ns ({:.1f})", added, each),
        fmt::format("<= {:g} ns", kPerAtomic), added / kPerAtomic);
  }
}

size_t instructions_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const scan::CodeImage image = scan::read_code(bytes);
  const scan::CodeFlow flow(image);
  size_t count = 0;
  for (const scan::Segment& segment : image.segments)
    for (uint64_t at = segment.begin; segment.executable && at < segment.end(); ++at) count += flow.is_start(at);
  return count;
}

// Infinite if it fails.
double best_cpu_ms(const std::string& arguments) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kStarts; ++i)
    if (const Output output = tool(arguments); output.good) best = std::min(best, output.cpu_seconds * 1e3);
  return best;
}

// All files of the program are patched, not only the one that is counted: its libraries add to the time.
void measure_patching() {
  if (!std::filesystem::exists(kProgram)) return row("patching a program: there is no redis-server", "-");
  const std::string what =
      fmt::format("patching redis-server ({} instructions)", instructions_in(std::filesystem::canonical(kProgram)));
  const double cold = best_cpu_ms(fmt::format("--scan {} 3 '' '' '' 3> /dev/null", kProgram));
  const auto start = [](const char* points) {
    return best_cpu_ms(fmt::format("run --once --points {} -- {} --version > /dev/null 2>&1", points, kProgram));
  };
  const double cached = start("sync,atomic") - start("sync");
  if (!std::isfinite(cold) || !std::isfinite(cached)) return failed(what);
  row(what + ", cold", fmt::format("{:.1f} ms CPU", cold + cached), fmt::format("<= {:g} ms", kCold),
      (cold + cached) / kCold);
  row("  known from an earlier run", fmt::format("{:.1f} ms CPU", cached), fmt::format("<= {:g} ms", kCached),
      cached / kCached);
}

// Loops without points: finding them is part of the time.
void measure_spins(const std::string& build, const char* switching) {
  for (const char* flags : {"1", "9"}) {
    const auto summary = explore(fmt::format("-j 1 --seed 1 -n 4000 -t 20s --switching {}", switching),
                                 fmt::format("bench_spin_{}", build), flags);
    const std::string what = fmt::format("spin loop over {} flag{}, {} on {}, schedules per CPU second", flags,
                                         flags[0] == '1' ? "" : "s", build, switching);
    if (summary.is_discarded()) return failed(what);
    const double rate = summary["schedules"].get<double>() / summary["cpu_seconds"].get<double>();
    row(what, fmt::format("{:.0f}", rate), fmt::format(">= {:g}", kSpinRate), kSpinRate / rate);
  }
}

void measure_all_spins() {
  for (const char* compiler : {"gcc", "clang"})
    for (const char* level : {"O0", "O1", "O2"})
      if (const std::string build = fmt::format("{}_{}", compiler, level); is_there("bench_spin_" + build))
        measure_spins(build, "fibers");
  measure_spins("gcc_O2", "gates");
}

}  // namespace

void measure_patched() {
  measure_instructions();
  measure_all_spins();
  measure_patching();
}

}  // namespace snarl::bench
