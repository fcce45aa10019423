// A lock of the program's own that is taken without acquiring anything.
#include <atomic>
#include <thread>

std::atomic<int> busy;
int value;

void add() {
  while (busy.exchange(1, std::memory_order_relaxed) != 0) std::this_thread::yield();
  value = value + 1;
  busy.store(0, std::memory_order_release);
}

int main() {
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  return 0;
}
