// The small program of the speed tables as the body of a test: two std::threads, a mutex, about 23 points, no atomic.
// Prints schedules per second of CPU time, children included, or what a test of the usual length costs.
#include <snarl/snarl.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

void small() {
  std::mutex mutex;
  int total = 0;
  auto add = [&] {
    for (int i = 0; i < 2; ++i) {
      const std::lock_guard<std::mutex> hold(mutex);
      ++total;
    }
  };
  std::thread a(add), b(add);
  a.join();
  b.join();
  if (total != 4) snarl::fail("lost");
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double cpu_seconds() {
  rusage self{}, children{};
  getrusage(RUSAGE_SELF, &self);
  getrusage(RUSAGE_CHILDREN, &children);
  return seconds(self.ru_utime) + seconds(self.ru_stime) + seconds(children.ru_utime) + seconds(children.ru_stime);
}

bool is_as_expected(const snarl::Result& result) { return result && result.reset == "none"; }

// A rate, after so many schedules that what the exploration itself costs is nothing.
int print_rate(const char* policy) {
  snarl::Options options;
  options.policy = policy;
  options.schedules = 1'000'000;
  options.time = std::chrono::seconds(20);
  const double before = cpu_seconds();
  const snarl::Result result = snarl::explore(options, small);
  if (!is_as_expected(result)) return 1;
  std::printf("%.0f\n", static_cast<double>(result.schedules) / (cpu_seconds() - before));
  return 0;
}

// A test as it is by default, but for its points and its length: milliseconds of CPU and by the clock.
int print_cost(const char* points, const char* schedules) {
  snarl::Options options;
  options.points = points;
  options.schedules = std::strtoull(schedules, nullptr, 10);
  const double before = cpu_seconds();
  const auto began = std::chrono::steady_clock::now();
  const snarl::Result result = snarl::explore(options, small);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  if (!is_as_expected(result)) return 1;
  std::printf("cpu %.3f\nclock %.3f\n", (cpu_seconds() - before) * 1e3, took.count());
  return 0;
}

}  // namespace

// library [POLICY] | library cost POINTS SCHEDULES
int main(int argc, char** argv) {
  if (argc > 3 && std::strcmp(argv[1], "cost") == 0) return print_cost(argv[2], argv[3]);
  return print_rate(argc > 1 ? argv[1] : "pct:depth=3");
}
