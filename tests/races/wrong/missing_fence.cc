// The writer has a fence, the reader has none.
#include <atomic>
#include <thread>

int data;
std::atomic<bool> ready;

int main() {
  std::thread first([] {
    data = 42;
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  std::thread second([] {
    if (ready.load(std::memory_order_relaxed)) data = data + 1;
  });
  first.join();
  second.join();
  return 0;
}
