// Lanes: schedules per second of one core, beside starting the native program anew and beside native parallel pct.
//
// All rates are of CPU time, so that a busy machine changes them little. For native pct with a process per run that
// is in its favour: as if no core of the machine ever waited.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <thread>

#include "measure.h"
#include "tables.h"

extern char** environ;

namespace snarl::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kDepths = 6;

// Figure 1 of the paper on SINECOSEQ: its speed on a GPU over native parallel pct on twelve cores.
struct Program {
  const char* name;
  double paper_first, paper_best;  // at depth 1, and at its best depth
};
constexpr Program kPrograms[] = {{"black_scholes", 4.3, 132.3},  {"histogram", 3.7, 127.1},
                                 {"kmeans", 1.8, 52.1},          {"linear_regression", 11.2, 365.3},
                                 {"matrix_product", 7.8, 351.2}, {"pca", 7.6, 45.5},
                                 {"string_match", 2.1, 37.6},    {"word_count", 1.2, 23.6}};

struct Rate {
  double all = 0, distinct = 0;  // per CPU second
  uint64_t steps = 0, threads = 0;
};

Rate lanes(const std::string& options, const std::string& program) {
  const Output output =
      tool(fmt::format("lanes -j 1 -o '{}/snarl-bench-lanes' {} --seed 1 --json -- '{}/{}.c' 2>/dev/null",
                       fs::temp_directory_path().string(), options, SNARL_BENCH_LANES, program));
  const auto seen = nlohmann::json::parse(output.text, nullptr, false);
  if (seen.is_discarded() || !seen.contains("cpu_seconds") || seen["cpu_seconds"] == 0) return {};
  const double seconds = seen["cpu_seconds"], count = seen["schedules"], distinct = seen["distinct_schedules"];
  return {count / seconds, std::min(count, distinct) / seconds, seen["steps"], seen["threads"]};
}

// Of all cores.
Rate native(const char* reset, int runs, int depth, const std::string& program) {
  const auto seen =
      explore(fmt::format("-p ppct:depth={} --reset {} --points memory -n {} --seed 1", depth, reset, runs),
              "bench_lanes_" + program);
  if (seen.is_discarded() || seen["cpu_seconds"] == 0) return {};
  const double rate = seen["schedules"].get<double>() / seen["cpu_seconds"].get<double>();
  return {rate * std::thread::hardware_concurrency(), 0, seen["steps"], seen["threads"]};
}

// Of this process, which starts others, and of these.
double cpu_seconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  }
  return seconds;
}

// The program alone, started anew each time: runs per CPU second.
double started_anew(const std::string& program) {
  constexpr int kRuns = 1000;
  std::string path = fs::read_symlink("/proc/self/exe").parent_path() / program;
  char* argv[] = {path.data(), nullptr};
  const double before = cpu_seconds();
  for (int i = 0; i < kRuns; ++i) {
    pid_t child = 0;
    if (posix_spawn(&child, argv[0], nullptr, nullptr, argv, environ) != 0) return 0;
    waitpid(child, nullptr, 0);
  }
  return kRuns / (cpu_seconds() - before);
}

void measure_small() {
  const Rate rate = lanes("-p pct:depth=2 -n 3000000 --keep-going", "small");
  const double anew = started_anew("bench_lanes_small_alone");
  if (rate.all == 0 || anew == 0) return failed("lanes: small, pct:depth=2");
  row(fmt::format("lanes: 2 threads, {} steps, pct:depth=2", rate.steps), fmt::format("{:.2f} M/s", rate.all / 1e6),
      ">= 3 M/s", 3e6 / rate.all);
  row("  over starting the native program anew", fmt::format("{:.0f}x ({:.0f}/s)", rate.all / anew, anew), ">= 2000x",
      2000 * anew / rate.all);
  const Rate few = lanes("-p pct:depth=2 -n 1000 --keep-going", "small");
  row("  distinct among the first 1,000", fmt::format("{:.0f}", 1000 * few.distinct / few.all));
  const Rate trees = lanes("-p pct:depth=3 -n 500000 --keep-going", "trees");
  if (trees.all == 0) return failed("lanes: trees, pct:depth=3");
  row(fmt::format("lanes: 3 threads, {} steps, pct:depth=3", trees.steps), fmt::format("{:.0f} k/s", trees.all / 1e3),
      ">= 250 k/s", 250e3 / trees.all);
}

struct Figure {
  double log_sum = 0, log_sum_fork = 0, best = 0;
  int cells = 0;
  std::string best_at;
};

// Not slower than 0.95: what a choice by the clock may lose on what it tries.
void measure_sharing(const Program& program, double& best) {
  for (const int depth : {2, 4, 6}) {
    const std::string strategy = fmt::format("-p uact:depth={} -n 60000 --shared-prefix ", depth);
    const Rate rerun = lanes(strategy + "no", program.name), share = lanes(strategy + "yes", program.name);
    const Rate chosen = lanes(strategy + "auto", program.name);
    if (rerun.all == 0 || share.all == 0 || chosen.all == 0) return failed(program.name);
    best = std::max(best, share.all / rerun.all);
    row(fmt::format("{}, uact:depth={}: beginnings shared", program.name, depth),
        fmt::format("{:.2f}x, by choice {:.2f}x", share.all / rerun.all, chosen.all / rerun.all), ">= 0.95x",
        0.95 * rerun.all / chosen.all);
  }
}

void measure_cells(const Program& program, Figure& figure) {
  std::string cells, forks;
  Rate first, processes;
  for (int depth = 1; depth <= kDepths; ++depth) {
    const std::string strategy = fmt::format("{}:depth={}", depth == 1 ? "pct" : "uact", depth);
    const Rate ours = lanes("-t 1s -p " + strategy, program.name);
    const Rate exec = native("exec", 150, depth, program.name), fork = native("fork", 400, depth, program.name);
    if (ours.all == 0 || exec.all == 0 || fork.all == 0) return failed(program.name + (" " + strategy));
    const double speed = ours.distinct / exec.all;
    figure.log_sum += std::log(speed);
    figure.log_sum_fork += std::log(ours.distinct / fork.all);
    ++figure.cells;
    if (speed > figure.best) figure.best_at = fmt::format("{}, d={}", program.name, depth);
    figure.best = std::max(figure.best, speed);
    cells += fmt::format("{:7.0f}x", speed);
    forks += fmt::format("{:7.1f}x", ours.distinct / fork.all);
    first = ours, processes = exec;
  }
  fmt::print("{:<18} k {} (native {}){:>{}} {}   paper: d=1 {:.1f}x, best {:.1f}x\n", program.name, first.steps,
             processes.steps, "", 2, cells, program.paper_first, program.paper_best);
  fmt::print("{:<18} over ppct with a fork server  {}\n", "", forks);
  std::fflush(stdout);
}

}  // namespace

// `what`: "small", "sharing", "figure", or all of them.
void measure_lanes(std::string_view what) {
  const auto wanted = [&](std::string_view name) { return what.empty() || what == name; };
  if (wanted("small")) measure_small();
  if (wanted("sharing")) {
    double best = 0;
    for (const Program& program : kPrograms) measure_sharing(program, best);
    row("lanes: shared beginnings, at best", fmt::format("{:.2f}x", best), ">= 1.5x", 1.5 / best);
  }
  if (!wanted("figure")) return;
  fmt::print(
      "Distinct schedules per second on one core (d=1: pct; others: uact, 32 lanes) over native ppct with a\n"
      "process per run on {} cores, at depth 1 to {}\n",
      std::thread::hardware_concurrency(), kDepths);
  Figure figure;
  for (const Program& program : kPrograms) measure_cells(program, figure);
  if (figure.cells == 0) return failed("lanes: figure 1");
  const double mean = std::exp(figure.log_sum / figure.cells);
  row(fmt::format("lanes: geometric mean of {} cells", figure.cells), fmt::format("{:.0f}x", mean), ">= 100x",
      100 / mean);
  row("  the same over a fork server", fmt::format("{:.1f}x", std::exp(figure.log_sum_fork / figure.cells)));
  row("lanes: best cell (" + figure.best_at + ")", fmt::format("{:.0f}x", figure.best), ">= 365x", 365 / figure.best);
}

}  // namespace snarl::bench
