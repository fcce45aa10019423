// sizes: 20
// The consumer sees an empty queue, then that the producers have ended, and misses what came in between.
#include <atomic>
#include <mutex>

#include "hunt.h"

static std::mutex mutex;
static int queued, taken;
static std::atomic<int> producing{THREADS - 1};

static void produce() {
  std::unique_lock lock(mutex);
  ++queued;
  lock.unlock();
  --producing;
}

static bool take() {
  std::lock_guard lock(mutex);
  if (queued == 0) return false;
  --queued;
  ++taken;
  return true;
}

int main() {
  crowd(THREADS, [](int i) {
    if (i < THREADS - 1) return produce();
    while (take() || producing != 0) std::this_thread::yield();
    EXPECT(taken == THREADS - 1);
  });
}
