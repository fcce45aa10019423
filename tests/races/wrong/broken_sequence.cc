// A relaxed store of another thread ends the release sequence.
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
    state.store(2, std::memory_order_relaxed);
    if (state.load(std::memory_order_acquire) != 0) data = 1;
  });
  first.join();
  second.join();
  return 0;
}
