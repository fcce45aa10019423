// sizes: 3 100
// The flag that ends the workers is set outside of the lock: between a worker's look at it and its wait, the
// notification is lost.
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "hunt.h"

static std::mutex mutex;
static std::condition_variable changed;
static std::atomic<bool> stopped;
static int tasks = THREADS / 2;

static void work() {
  std::unique_lock lock(mutex);
  for (;;) {
    if (tasks > 0) {
      --tasks;
      return;
    }
    if (stopped) return;
    changed.wait(lock);
  }
}

static void stop() {
  stopped = true;
  changed.notify_all();
}

// There are tasks for half of the workers; the others wait for the end.
int main() {
  crowd(THREADS, [](int i) { i == 0 ? stop() : work(); });
}
