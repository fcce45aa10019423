// The flag is set before what it stands for.
#include <atomic>
#include <thread>

int data;
std::atomic<bool> ready;

int main() {
  std::thread first([] {
    ready.store(true, std::memory_order_release);
    data = 42;
  });
  std::thread second([] {
    if (ready.load(std::memory_order_acquire)) data = data + 1;
  });
  first.join();
  second.join();
  return 0;
}
