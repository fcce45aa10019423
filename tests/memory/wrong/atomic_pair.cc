// snarl: kind=assert within=500
// An atomic variable that is read and written by two operations is no counter.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> counter;

static void add() { counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

int main() {
  std::thread other(add);
  add();
  other.join();
  assert(counter == 2);
}
