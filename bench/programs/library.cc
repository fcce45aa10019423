// The small program of the speed tables as the body of a test: two std::threads, a mutex, about 23 points. Prints
// schedules per second of CPU time, children included.
#include <snarl/snarl.h>
#include <sys/resource.h>

#include <cstdio>
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

}  // namespace

int main(int argc, char** argv) {
  snarl::Options options;
  options.policy = argc > 1 ? argv[1] : "pct:depth=3";
  options.schedules = 1'000'000;
  options.time = std::chrono::seconds(20);
  const double before = cpu_seconds();
  const snarl::Result result = snarl::explore(options, small);
  if (!result || result.reset != "none") return 1;
  std::printf("%.0f\n", static_cast<double>(result.schedules) / (cpu_seconds() - before));
}
