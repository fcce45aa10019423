// snarl: correct
// Peterson's lock for two.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> wants[2];
std::atomic<int> turn = 0;
std::atomic<int> inside = 0;

void work(int me) {
  const int other = 1 - me;
  for (int i = 0; i < 2; ++i) {
    wants[me].exchange(1);
    turn.exchange(other);
    while (wants[other].load() == 1 && turn.load() == other) __builtin_ia32_pause();
    assert(inside.fetch_add(1) == 0);
    inside.fetch_sub(1);
    wants[me].exchange(0);
  }
}

int main() {
  std::thread one(work, 1);
  work(0);
  one.join();
}
