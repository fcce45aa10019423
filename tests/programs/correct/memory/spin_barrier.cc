// snarl: correct
// A spin barrier, several rounds.
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kThreads = 3;
std::atomic<int> arrived = 0;
std::atomic<int> round_number = 0;
int rounds_of[kThreads];

void arrive() {
  const int mine = round_number.load();
  if (arrived.fetch_add(1) == kThreads - 1) {
    arrived.exchange(0);
    round_number.fetch_add(1);
    return;
  }
  while (round_number.load() == mine) __builtin_ia32_pause();
}

void work(int me) {
  for (int i = 0; i < 3; ++i) {
    ++rounds_of[me];
    arrive();
    for (int other : rounds_of) assert(other == i + 1);
    arrive();
  }
}

int main() {
  std::thread one(work, 1), two(work, 2);
  work(0);
  one.join();
  two.join();
}
