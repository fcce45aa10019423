// snarl: kind=assert depth=2 policy=random within=1000
// A spin barrier whose last one lets the others go before it sets the count back: one that is quick enough arrives
// at the next round with the old count.
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kThreads = 2;
std::atomic<int> arrived = 0;
std::atomic<int> round_number = 0;

void arrive() {
  const int mine = round_number.load();
  const int before = arrived.fetch_add(1);
  assert(before < kThreads);
  if (before == kThreads - 1) {
    round_number.fetch_add(1);
    arrived.exchange(0);
    return;
  }
  while (round_number.load() == mine) __builtin_ia32_pause();
}

void work() {
  arrive();
  arrive();
}

int main() {
  std::thread other(work);
  work();
  other.join();
}
