// sizes: 3 20
// Workers and those who wait for the end of the work share one condition variable. A signal that is meant for a worker
// may reach the one who waits for the end, who goes back to sleep.
#include <condition_variable>
#include <mutex>

#include "hunt.h"

static std::mutex mutex;
static std::condition_variable changed;
static int queued, done;

static void submit() {
  std::lock_guard lock(mutex);
  ++queued;
  changed.notify_one();
}

static void work() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return queued > 0; });
  --queued;
  if (++done == THREADS - 2) changed.notify_all();
}

static void wait_for_end() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return done == THREADS - 2; });
}

int main() {
  crowd(THREADS, [](int i) {
    if (i == 0)
      for (int n = 0; n < THREADS - 2; ++n) submit();
    else
      i == THREADS - 1 ? wait_for_end() : work();
  });
}
