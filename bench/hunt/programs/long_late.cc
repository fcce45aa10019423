// sizes: 3 20
// After much correct work, two of the threads add their results to the sum without the lock.
#include <mutex>

#include "hunt.h"

constexpr int kRounds = 600 / THREADS;
static std::mutex mutex;
static int work_done;
static volatile int sum;

int main() {
  crowd(THREADS, [](int i) {
    for (int round = 0; round < kRounds; ++round) {
      std::lock_guard lock(mutex);
      ++work_done;
    }
    if (i < 2) sum = sum + kRounds;
  });
  EXPECT(sum == 2 * kRounds);
}
