// How fast a program is made new for each schedule: exec, fork, rewind; all by the CPU time of everything. Peers are
// measured beside each other, and a ratio that can't be true is missed, too.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>
#include <vector>

#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

struct Rate {
  double wall = 0, cpu = 0;  // schedules per second
};

constexpr const char* kCrowd = "bench_crowd";
constexpr const char* kBig = "3 330";  // three threads, three thousand steps

// The better of two, as others may be at work; 0: what was asked for did not happen.
Rate rate(const char* reset, int schedules, const std::string& policy, const std::string& program = "bench_small",
          const std::string& words = {}) {
  Rate best;
  for (int i = 0; i < 2; ++i) {
    const auto summary = explore(fmt::format("-j 1 -p {} -n {} --reset {}", policy, schedules, reset), program, words);
    if (summary.is_discarded() || summary["reset"]["kind"] != reset || summary["schedules"] != schedules) return {};
    const double count = summary["schedules"].get<double>();
    best.wall = std::max(best.wall, count / summary["seconds"].get<double>());
    best.cpu = std::max(best.cpu, count / summary["cpu_seconds"].get<double>());
  }
  return best;
}

// `least` times as fast, and not so fast that somebody must have done nothing.
void row_of_ratio(const std::string& what, const Rate& fast, const Rate& slow, double least, double most) {
  if (fast.cpu == 0 || slow.cpu == 0) return failed(what);
  const double ratio = fast.cpu / slow.cpu;
  row(what, fmt::format("{:.1f}x ({:.0f} / {:.0f})", ratio, fast.cpu, slow.cpu),
      fmt::format(">= {:g}x, <= {:g}x", least, most), std::max(least / ratio, ratio / most));
}

void row_of_time(const std::string& what, const Rate& rate, double most_microseconds) {
  if (rate.cpu == 0) return failed(what);
  const double each = 1e6 / rate.cpu;
  row(what, fmt::format("{:.0f} us", each), fmt::format("< {:.0f} us", most_microseconds), each / most_microseconds);
}

void measure_small() {
  const Rate exec = rate("exec", 200, "pct:depth=3"), fork = rate("fork", 2000, "pct:depth=3");
  const Rate rewind = rate("rewind", 100'000, "pct:depth=3");
  row_of_ratio("fork server over exec per run (CPU time)", fork, exec, 3, 50);
  row("  the same by wall clock, one worker",
      fmt::format("{:.1f}x ({:.0f} / {:.0f})", exec.wall == 0 ? 0 : fork.wall / exec.wall, fork.wall, exec.wall));
  row_of_ratio("rewinding over exec per run, small, pct (CPU time)", rewind, exec, 40, 1000);
  row("  per CPU second of everything", fmt::format("{:.0f}", rewind.cpu), ">= 25000",
      rewind.cpu == 0 ? 2 : 25000 / rewind.cpu);
}

void measure_big() {
  for (const auto& [policy, least] : {std::pair{"pct:depth=3", 2.0}, {"random", 3.0}}) {
    const Rate fork = rate("fork", 1000, policy, kCrowd, kBig), rewind = rate("rewind", 4000, policy, kCrowd, kBig);
    row_of_ratio(fmt::format("rewinding over fork, three thousand steps, {}", policy), rewind, fork, least, 50);
  }
}

// Built with snarl c++: shared places are points, and races are looked for.
void measure_memory_points() {
  const std::string program = "bench_races_gcc_snarl";
  for (const char* words : {"small", "shared"}) {
    const Rate fork = rate("fork", 1000, "random", program, words),
               rewind = rate("rewind", 10'000, "random", program, words);
    row_of_ratio(fmt::format("rewinding over fork, memory points and races, {}", words), rewind, fork, 3, 100);
  }
}

void measure_heaps() {
  constexpr struct {
    const char* megabytes;
    int schedules;  // so many that the start of the program is a small part of it
    double most;
  } kHeaps[] = {{"1", 20'000, 60}, {"100", 10'000, 150}, {"1000", 5'000, 1500}};
  for (const auto& heap : kHeaps)
    row_of_time(fmt::format("a rewound schedule, {} MB of heap", heap.megabytes),
                rate("rewind", heap.schedules, "random", "bench_heap", heap.megabytes), heap.most);
}

void measure_many_threads() {
  constexpr struct {
    int threads;
    double most;
  } kCrowds[] = {{2, 100}, {10, 200}, {100, 2000}, {1000, 40'000}};
  for (const auto& crowd : kCrowds)
    row_of_time(
        fmt::format("a rewound schedule, {} threads at once, random", crowd.threads),
        rate("rewind", std::max(200, 20'000 / crowd.threads), "random", kCrowd, fmt::format("{} 3", crowd.threads)),
        crowd.most);
}

double wall_rate(int jobs, int schedules) {
  const auto summary = explore(fmt::format("-j {} -p random -n {} --reset rewind", jobs, schedules), "bench_small");
  if (summary.is_discarded() || summary["reset"]["kind"] != "rewind") return 0;
  return summary["schedules"].get<double>() / summary["seconds"].get<double>();
}

// All at the same time, by wall clock.
double together(int explorations, int schedules) {
  std::vector<double> rates(static_cast<size_t>(explorations));
  std::vector<std::jthread> all;
  for (double& each : rates) all.emplace_back([&each, schedules] { each = wall_rate(1, schedules); });
  all.clear();
  double sum = 0;
  for (const double each : rates) sum = each == 0 ? -1e9 : sum + each;
  return std::max(sum, 0.0);
}

void measure_workers() {
  if (std::thread::hardware_concurrency() < 2) return;
  constexpr int kSchedules = 100'000;
  const double one = wall_rate(1, kSchedules), two = wall_rate(2, 2 * kSchedules), four = together(4, kSchedules);
  if (one == 0 || two == 0 || four == 0) return failed("rewinding workers");
  row("two rewinding workers over one (wall clock)", fmt::format("{:.2f}x ({:.0f} / {:.0f})", two / one, two, one),
      ">= 1.8x, <= 2.2x", std::max(1.8 / (two / one), (two / one) / 2.2));
  row("four explorations at once over two workers", fmt::format("{:.2f}x ({:.0f} / {:.0f})", four / two, four, two),
      ">= 0.8x", 0.8 / (four / two));
}

// From the command to its end, with a finding that is confirmed; everything else is left out.
void measure_latency() {
  namespace fs = std::filesystem;
  const fs::path out = fs::temp_directory_path() / fmt::format("snarl-bench-latency-{}", getpid());
  const std::string arguments = fmt::format("run -j 1 --seed 1 --no-minimize --no-explain -o '{}'", out.string());
  double best = 1e9;
  for (int i = 0; i < 3; ++i) best = std::min(best, snarl(arguments, "bench_deadlock").seconds);
  const bool found = fs::exists(out / "findings");
  fs::remove_all(out);
  const std::string what = "from the command to a confirmed deadlock";
  found ? row(what, fmt::format("{:.0f} ms", best * 1e3), "< 400 ms", best / 0.4) : failed(what);
}

}  // namespace

void measure_resets() {
  measure_small();
  measure_big();
  measure_memory_points();
  measure_heaps();
  measure_many_threads();
  measure_workers();
  measure_latency();
}

}  // namespace snarl::bench
