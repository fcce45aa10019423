// Read-modify-writes that acquire and release, and a compare-exchange that acquires when it fails.
#include <atomic>
#include <thread>

int data;
std::atomic<int> state;

int main() {
  std::thread first([] {
    data = 42;
    state.exchange(2, std::memory_order_acq_rel);
  });
  std::thread second([] {
    int expected = 1;
    state.compare_exchange_strong(expected, 1, std::memory_order_relaxed, std::memory_order_acquire);
    if (expected == 2) data = data + 1;
  });
  first.join();
  second.join();
  return 0;
}
