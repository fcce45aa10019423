// How long a report waits for its names: places of addresses all over our own program, with their inlined frames.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <random>

#include "measure.h"
#include "symbolize/symbolizer.h"
#include "tables.h"

extern "C" char __executable_start, __etext;  // the linker's

namespace snarl::bench {
namespace {

constexpr int kAddresses = 10'000, kRounds = 20;

double cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

// Opening and indexing the file included. Half of the addresses are in its code, the rest before that.
double ms_for(const std::string& program, size_t& frames) {
  const auto size = static_cast<uint64_t>(&__etext - &__executable_start);
  std::mt19937_64 random(1);
  frames = 0;
  const double begin = cpu_ms();
  symbolize::Symbolizer symbolizer;
  for (int i = 0; i < kAddresses; ++i)
    frames +=
        symbolizer.place({program}, size / 2 + random() % (size / 2), symbolize::PcKind::kReturnAddress).frames.size();
  return cpu_ms() - begin;
}

}  // namespace

void measure_names() {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  double best = 1e9;
  size_t frames = 0;
  for (int i = 0; i < kRounds; ++i) best = std::min(best, ms_for(program, frames));
  row(fmt::format("names of 10,000 addresses, {} frames, CPU time", frames), fmt::format("{:.1f} ms", best), "< 50 ms",
      best / 50);
}

}  // namespace snarl::bench
