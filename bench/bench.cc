// ./run bench: the speed tables, measured in one run and printed as ratios, because
// machines are noisy and a ratio is less so. Exit 1 if a target is missed.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "virtual_bench.h"

namespace {

namespace fs = std::filesystem;

int missed = 0;

void row(const std::string& what, const std::string& measured, const std::string& target, bool met) {
  fmt::print("{:<58} {:>22}   target {:<18} {}\n", what, measured, target, met ? "met" : "MISSED");
  std::fflush(stdout);
  if (!met) ++missed;
}

fs::path beside_us(const char* name) { return fs::read_symlink("/proc/self/exe").parent_path() / name; }

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  pclose(pipe);
  return text;
}

std::string snarl(const std::string& arguments, const char* program) {
  return fmt::format("timeout 120 '{}' {} -- '{}' 2>/dev/null", beside_us("snarl").string(), arguments,
                     beside_us(program).string());
}

// Nanoseconds per operation, as the program itself measured it; the best of five.
double nanoseconds_each(const char* program, const char* policy) {
  double best = 1e18;
  for (int i = 0; i < 5; ++i) {
    long long nanoseconds = 0;
    long long count = 0;
    const std::string text = output_of(snarl(fmt::format("run --once -p {} --steps 0", policy), program));
    if (std::sscanf(text.c_str(), "%lld %lld", &nanoseconds, &count) != 2 || count == 0) continue;
    best = std::min(best, static_cast<double>(nanoseconds) / static_cast<double>(count));
  }
  return best;
}

struct Rate {
  double wall = 0, cpu = 0;  // schedules per second
};

Rate schedules_per_second(const char* reset, int schedules) {
  const fs::path out = fs::temp_directory_path() / fmt::format("snarl-bench-{}", getpid());
  output_of(snarl(fmt::format("run -j 1 -p random -n {} --reset {} -o '{}' --json", schedules, reset, out.string()), "bench_small"));
  std::ifstream file(out / "summary.json");
  const auto summary = nlohmann::json::parse(file, nullptr, false);
  fs::remove_all(out);
  if (summary.is_discarded()) return {};
  const double count = summary["schedules"].get<double>();
  return {count / summary["seconds"].get<double>(), count / summary["cpu_seconds"].get<double>()};
}

void measure_gates() {
  const double handoff = nanoseconds_each("bench_handoff", "pct:depth=1");
  row("pinned gate handoff", fmt::format("{:.0f} per second", 1e9 / handoff), ">= 250,000", 1e9 / handoff >= 250'000);
  const double quiet = nanoseconds_each("bench_quiet_points", "pct:depth=1");
  row("a point that does not switch, on gates", fmt::format("{:.1f} ns", quiet), "< 60 ns", quiet < 60);
}

void measure_resets() {
  const Rate exec = schedules_per_second("exec", 200);
  const Rate fork = schedules_per_second("fork", 2000);
  const double ratio = fork.cpu / exec.cpu;
  row("fork server on gates over exec per run (CPU time)", fmt::format("{:.1f}x ({:.0f} / {:.0f})", ratio, fork.cpu, exec.cpu), ">= 3x", ratio >= 3);
  fmt::print("{:<58} {:>22}\n", "  the same by wall clock, one worker", fmt::format("{:.1f}x ({:.0f} / {:.0f})", fork.wall / exec.wall, fork.wall, exec.wall));
}

void measure_virtual() {
  for (const char* policy : {"pct", "random"}) {
    const double rate = snarl::virtual_steps_per_second(policy);
    row(fmt::format("virtual programs, {}", policy), fmt::format("{:.1f} M steps/s", rate / 1e6), ">= 1 M steps/s", rate >= 1e6);
  }
}

void measure_decisions() {
  for (const char* policy : {"random", "preempt-always", "preempt-bound", "atom-fuzzer", "pos", "urw", "surw"}) {
    const double few = snarl::decision_nanoseconds(policy, 4), some = snarl::decision_nanoseconds(policy, 21);
    const double many = snarl::decision_nanoseconds(policy, 101);
    row(fmt::format("a decision of {}, at 4 / 21 / 101 threads", policy),
        fmt::format("{:.0f} / {:.0f} / {:.0f} ns", few, some, many), "< 100 ns at 21", some < 100);
  }
}

}  // namespace

int main() {
  measure_gates();
  measure_resets();
  measure_virtual();
  measure_decisions();
  return missed == 0 ? 0 : 1;
}
