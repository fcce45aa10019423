// snarl: kind=assert depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// In the second phase the summing thread arrives at the barrier but does not wait for it.
#include <barrier>
#include <cassert>
#include <mutex>
#include <thread>

std::barrier phase(2);
std::mutex mutex;
int halves[2];

void fill(int which) {
  std::lock_guard<std::mutex> lock(mutex);
  halves[which] = 1;
}

void other() {
  phase.arrive_and_wait();
  fill(1);
  phase.arrive_and_wait();
}

int main() {
  std::thread thread(other);
  phase.arrive_and_wait();
  fill(0);
  for (volatile int i = 0; i < 400000;) i = i + 1;
  (void)phase.arrive();
  {
    std::lock_guard<std::mutex> lock(mutex);
    assert(halves[0] + halves[1] == 2);
  }
  thread.join();
}
