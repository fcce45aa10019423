// sizes: 3
// A wait with a deadline is taken for a success however it ended.
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "hunt.h"

static std::mutex mutex;
static std::condition_variable changed;
static bool ready[THREADS];

static void provide(int i) {
  std::lock_guard lock(mutex);
  ready[i] = true;
  changed.notify_all();
}

// Only one of them forgets to look.
static void use(int i) {
  std::unique_lock lock(mutex);
  while (!ready[i])
    if (changed.wait_for(lock, std::chrono::milliseconds(100)) == std::cv_status::timeout && i == 0) break;
  EXPECT(ready[i]);
}

int main() {
  crowd(THREADS, [](int i) { i <= THREADS / 2 ? provide(i) : use(i - THREADS / 2 - 1); });
}
