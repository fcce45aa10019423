// Fibers against gates: whole schedules, and one switch.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

namespace fs = std::filesystem;

struct Rate {
  double wall = 0, cpu = 0;  // schedules per second
};

Rate rate_once(const std::string& layer, const std::string& program, const std::string& words, int schedules,
               int jobs) {
  const auto summary =
      explore(fmt::format("-j {} -p random -n {} --switching {}", jobs, schedules, layer), program, words);
  if (summary.is_discarded()) return {};
  const double count = summary["schedules"].get<double>();
  return {count / summary["seconds"].get<double>(), count / summary["cpu_seconds"].get<double>()};
}

Rate better(const Rate& a, const Rate& b) { return {std::max(a.wall, b.wall), std::max(a.cpu, b.cpu)}; }

// The best of three.
Rate rate_of(const std::string& layer, const std::string& program, const std::string& words, int schedules) {
  Rate best;
  for (int i = 0; i < 3; ++i) best = better(best, rate_once(layer, program, words, schedules, 1));
  return best;
}

// In turn, so that what else the machine does meets both.
void measure_workers() {
  Rate one, two;
  for (int i = 0; i < 5; ++i) {
    one = better(one, rate_once("fibers", "bench_small", {}, 6000, 1));  // so many that the start does not count
    two = better(two, rate_once("fibers", "bench_small", {}, 12000, 2));
  }
  if (one.wall == 0 || two.wall == 0) return failed("two workers");
  const double speedup = two.wall / one.wall;
  row("  two workers over one, by wall clock", fmt::format("{:.2f}x ({:.0f} / {:.0f})", speedup, two.wall, one.wall),
      ">= 1.8x", 1.8 / speedup);
}

void measure_small() {
  const Rate fibers = rate_of("fibers", "bench_small", {}, 2000), gates = rate_of("gates", "bench_small", {}, 1000);
  if (fibers.cpu == 0 || gates.cpu == 0) return failed("fibers, small program");
  row("small program on fibers, per CPU second", fmt::format("{:.0f}", fibers.cpu), ">= 2,500", 2500 / fibers.cpu);
  const double ratio = fibers.cpu / gates.cpu;
  row("  over gates", fmt::format("{:.1f}x ({:.0f} / {:.0f})", ratio, fibers.cpu, gates.cpu), ">= 1.2x", 1.2 / ratio);
  measure_workers();
}

void measure_big() {
  const Rate fibers = rate_of("fibers", "bench_many_points", "1001", 1000),
             gates = rate_of("gates", "bench_many_points", "1001", 200);
  if (fibers.cpu == 0 || gates.cpu == 0) return failed("fibers, big program");
  const double ratio = fibers.cpu / gates.cpu;
  row("big program (1,001 points, random), over gates",
      fmt::format("{:.1f}x ({:.0f} / {:.0f})", ratio, fibers.cpu, gates.cpu), ">= 5x", 5 / ratio);
}

// In an exploration, where the pages that switches are recorded in have been used by runs before.
double switch_nanoseconds() {
  const fs::path figures = fs::temp_directory_path() / fmt::format("snarl-bench-switches-{}", getpid());
  explore("-j 1 -p pct:depth=1 -n 20 --steps 0 --switching fibers", "bench_handoff", figures.string());
  std::ifstream file(figures);
  double best = 1e18;
  for (double nanoseconds, count; file >> nanoseconds >> count;) best = std::min(best, nanoseconds / count);
  fs::remove(figures);
  return best;
}

}  // namespace

void measure_fibers() {
  const double each = switch_nanoseconds();
  row("fiber switch with conductor and plan", fmt::format("{:.1f} ns", each), "< 60 ns", each / 60);
  measure_small();
  measure_big();
}

}  // namespace snarl::bench
