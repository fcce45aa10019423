// snarl: kind=assert depth=3 policy=random within=500
// Peterson's lock for two, but the turn is given away before the wish is announced: both may enter.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> wants[2];
std::atomic<int> turn = 0;
std::atomic<int> inside = 0;

void work(int me) {
  const int other = 1 - me;
  turn.exchange(other);
  wants[me].exchange(1);
  while (wants[other].load() == 1 && turn.load() == other) __builtin_ia32_pause();
  assert(inside.fetch_add(1) == 0);
  inside.fetch_sub(1);
  wants[me].exchange(0);
}

int main() {
  std::thread one(work, 1);
  work(0);
  one.join();
}
