// sizes: 3 20
// Two threads may take the same number at the very beginning. Much correct work follows before it matters.
#include <mutex>

#include "hunt.h"

constexpr int kRounds = 600 / THREADS;
static std::mutex mutex;
static int next_number, work_done, uses[THREADS];

static int number() {
  std::unique_lock lock(mutex);
  const int mine = next_number;
  lock.unlock();
  lock.lock();
  next_number = mine + 1;
  return mine;
}

int main() {
  crowd(THREADS, [](int i) {
    const int mine = i < 2 ? number() : i;
    for (int round = 0; round < kRounds; ++round) {
      std::lock_guard lock(mutex);
      ++work_done;
    }
    std::lock_guard lock(mutex);
    EXPECT(++uses[mine] == 1);
  });
}
