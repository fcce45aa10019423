// sizes: 3 20
// A barrier that is reset by the last to arrive. Two threads use it again while a slow one may not have left it.
#include <condition_variable>
#include <mutex>

#include "hunt.h"

static std::mutex mutex;
static std::condition_variable opened;
static int here;

static void arrive(int expected) {
  std::unique_lock lock(mutex);
  if (++here == expected) {
    here = 0;
    return opened.notify_all();
  }
  opened.wait(lock, [] { return here == 0; });
}

int main() {
  crowd(THREADS, [](int i) {
    arrive(THREADS);
    if (i > 1) return;
    std::thread([] {}).join();
    arrive(2);
  });
}
