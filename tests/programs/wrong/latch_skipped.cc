// snarl: kind=deadlock depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// A worker that is told to stop before it begins returns without counting down.
#include <latch>
#include <mutex>
#include <thread>

std::latch ready(2);
std::mutex mutex;
bool stopping = false;
int started = 0;

void work() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (stopping) return;
    ++started;
  }
  ready.count_down();
}

int main() {
  std::thread a(work);
  std::thread b(work);
  for (volatile int i = 0; i < 400000;) i = i + 1;
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  ready.wait();
  a.join();
  b.join();
}
