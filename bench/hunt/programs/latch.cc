// sizes: 3 20 100
// The count of a latch is lowered without its lock: the last notification may come before the wait.
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "hunt.h"

static std::atomic<int> missing{THREADS - 1};
static std::mutex mutex;
static std::condition_variable complete;

static void wait() {
  std::unique_lock lock(mutex);
  while (missing != 0) complete.wait(lock);
}

int main() {
  crowd(THREADS, [](int i) {
    if (i == THREADS - 1) return wait();
    if (--missing == 0) complete.notify_all();
  });
}
