// snarl: kind=signal depth=1 policy=pct:depth=1 within=80 policy=pct:depth=2 within=2000 policy=preempt-bound:bound=1 within=1000 policy=delay-bound:bound=2 within=10000 policy=pos within=6000
// Fails if a worker that yields after each of its rounds is never kept waiting: a yield need not let others run.
#include <cstdlib>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int done = 0;

int main() {
  std::thread looks([] {
    mutex.lock();
    const bool all = done == 20;
    mutex.unlock();
    if (all) abort();
  });
  std::thread works([] {
    for (int i = 0; i < 20; i++) {
      mutex.lock();
      done++;
      mutex.unlock();
      std::this_thread::yield();
    }
  });
  looks.join();
  works.join();
}
