// sizes: 3 20
// A consumer that waited with `if` takes from a queue that another consumer has emptied meanwhile.
#include <condition_variable>
#include <mutex>

#include "hunt.h"

static std::mutex mutex;
static std::condition_variable filled;
static int items;

static void put() {
  std::lock_guard lock(mutex);
  ++items;
  filled.notify_one();
}

static void take() {
  std::unique_lock lock(mutex);
  if (items == 0) filled.wait(lock);
  EXPECT(items > 0);
  --items;
}

int main() {
  crowd(THREADS, [](int i) {
    if (i > 0) return take();
    for (int n = 1; n < THREADS; ++n) put();
  });
}
