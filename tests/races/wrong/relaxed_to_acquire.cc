// An acquire of what was not released.
#include <atomic>
#include <thread>

int data;
std::atomic<bool> ready;

int main() {
  std::thread first([] {
    data = 42;
    ready.store(true, std::memory_order_relaxed);
  });
  std::thread second([] {
    if (ready.load(std::memory_order_acquire)) data = 1;
  });
  first.join();
  second.join();
  return 0;
}
