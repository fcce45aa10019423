#include "measure.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace snarl::bench {
namespace {

namespace fs = std::filesystem;

int missed_rows = 0;
std::atomic<int> explorations;  // each has a folder of its own

fs::path beside_us(const std::string& name) { return fs::read_symlink("/proc/self/exe").parent_path() / name; }

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// sh -c COMMAND; its rusage has the peak of all its descendants.
Output run(const std::string& command) {
  Output output;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return output;
  const auto begin = std::chrono::steady_clock::now();
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], 1);
    close(ends[0]);
    close(ends[1]);
    execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) output.text.append(buffer, static_cast<size_t>(n));
  close(ends[0]);
  int status = 0;
  rusage usage{};
  output.good = wait4(pid, &status, 0, &usage) == pid && status == 0;
  output.peak_kb = usage.ru_maxrss;
  output.cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  output.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return output;
}

}  // namespace

Output snarl(const std::string& arguments, const std::string& program, const std::string& words) {
  return run(fmt::format("timeout 300 '{}' {} -- '{}' {} 2>/dev/null", beside_us("snarl").string(), arguments,
                         beside_us(program).string(), words));
}

Output tool(const std::string& arguments) {
  return run(fmt::format("timeout 120 '{}' {}", beside_us("snarl").string(), arguments));
}

bool is_there(const std::string& program) { return fs::exists(beside_us(program)); }

Output alone(const std::string& program, const std::string& words) {
  return run(fmt::format("timeout 60 '{}' {} > /dev/null 2>&1", beside_us(program).string(), words));
}

Output answer_of(const std::string& program, const std::string& words) {
  return run(fmt::format("timeout 60 '{}' {} 2> /dev/null", beside_us(program).string(), words));
}

nlohmann::json explore(const std::string& arguments, const std::string& program, const std::string& words) {
  const fs::path out = fs::temp_directory_path() / fmt::format("snarl-bench-{}-{}", getpid(), explorations++);
  snarl(fmt::format("run {} -o '{}' --json", arguments, out.string()), program, words);
  std::ifstream file(out / "summary.json");
  auto summary = nlohmann::json::parse(file, nullptr, false);
  fs::remove_all(out);
  return summary;
}

void keep_smallest(Smallest& best, const std::string& lines) {
  std::istringstream text(lines);
  std::string name;
  for (double number; text >> name >> number;) best[name] = best.contains(name) ? std::min(best[name], number) : number;
}

double nanoseconds_each(const std::string& program, const std::string& words, const std::string& policy, int times) {
  double best = 1e18;
  for (int i = 0; i < times; ++i) {
    long long nanoseconds = 0, count = 0;
    const Output output = snarl(fmt::format("run --once -p {} --steps 0", policy), program, words);
    if (std::sscanf(output.text.c_str(), "%lld %lld", &nanoseconds, &count) != 2 || count == 0) continue;
    best = std::min(best, static_cast<double>(nanoseconds) / static_cast<double>(count));
  }
  return best;
}

void row(const std::string& what, const std::string& measured, const std::string& limit, double ratio) {
  const bool met = ratio <= 1;
  fmt::print("{:<52} {:>24}   limit {:<18} {:>5.2f}  {}\n", what, measured, limit, ratio, met ? "met" : "MISSED");
  std::fflush(stdout);
  if (!met) ++missed_rows;
}

void row(const std::string& what, const std::string& measured) {
  fmt::print("{:<52} {:>24}\n", what, measured);
  std::fflush(stdout);
}

void failed(const std::string& what) {
  fmt::print("{:<52} {:>24}\n", what, "FAILED");
  ++missed_rows;
}

int missed() { return missed_rows; }

}  // namespace snarl::bench
