// A read-modify-write of another thread continues the sequence.
#include <atomic>
#include <thread>

int data;
std::atomic<int> state;

int main() {
  std::thread first([] {
    data = 42;
    state.store(1, std::memory_order_release);
  });
  std::thread second([] {
    if (state.fetch_add(1, std::memory_order_relaxed) == 0) return;
    if (state.load(std::memory_order_acquire) == 2) data = 1;
  });
  first.join();
  second.join();
  return 0;
}
