// snarl: correct
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> arrived, phase;
static int stage[2];

static void wait() {
  const int now = phase;
  if (++arrived == 2) {
    arrived = 0;
    phase = now + 1;
    return;
  }
  while (phase == now) {
  }
}

static void work(int self) {
  for (int round = 1; round <= 2; ++round) {
    stage[self] = round;
    wait();
    assert(stage[1 - self] >= round);
    if (arrived > 2) assert(false);
  }
}

int main() {
  std::thread other(work, 1);
  work(0);
  other.join();
}
