// A histogram with a lock per bin: more than one point per microsecond and thread.
#include <mutex>

#include "kernel.h"

namespace {

constexpr int kBins = 1024, kValues = 150'000;
struct alignas(64) Bin {
  std::mutex mutex;
  uint64_t count = 0;
} bins[kBins];

}  // namespace

int main() {
  run_threads([](int me) {
    uint64_t value = static_cast<uint64_t>(me) + 1;
    for (int i = 0; i < kValues; ++i) {
      value = spin(value, 400);
      Bin& bin = bins[value >> 54];
      std::lock_guard lock(bin.mutex);
      ++bin.count;
    }
  });
  uint64_t total = 0;
  for (const Bin& bin : bins) total += bin.count;
  return check(total, uint64_t{kThreads} * kValues);
}
