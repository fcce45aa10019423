#include "virtual_bench.h"

#include <chrono>
#include <cstdio>

#include "virtual/world.h"

namespace snarl {
namespace {

// A lock, an unlock, the point after it and an event: 4 steps a round.
Task rounds(World& w) {
  for (int i = 0; i < 83; ++i) {
    co_await w.lock(i % 3);
    ++w.value[0];
    co_await w.unlock(i % 3);
    co_await w.event();
  }
}

Task three_threads(World& w) {
  const int a = co_await w.create(rounds);
  const int b = co_await w.create(rounds);
  for (int i = 0; i < 83; ++i) {
    co_await w.lock(i % 3);
    ++w.value[0];
    co_await w.unlock(i % 3);
    co_await w.event();
  }
  co_await w.join(a);
  co_await w.join(b);
}

}  // namespace

double virtual_steps_per_second(const char* policy) {
  using Clock = std::chrono::steady_clock;
  constexpr double kSeconds = 0.5;  // hundreds of runs even at a tenth of the target
  Step steps = 0;
  double seconds = 0;
  const auto begin = Clock::now();
  for (uint64_t index = 0; seconds < kSeconds; ++index) {
    steps += run_virtual(three_threads, virtual_run(policy, 3, 1, index, 3, 1000)).steps;
    seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  return static_cast<double>(steps) / seconds;
}

void print_virtual_speed() {
  for (const char* policy : {"pct", "random"})
    std::printf("virtual programs, %s: %.1f M steps/s\n", policy, virtual_steps_per_second(policy) / 1e6);
}

}  // namespace snarl
