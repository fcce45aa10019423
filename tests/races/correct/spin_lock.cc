// A lock of the program's own.
#include <atomic>
#include <thread>

std::atomic_flag busy = ATOMIC_FLAG_INIT;
int value;

int main() {
  std::thread first([] {
    while (busy.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    value = value + 1;
    busy.clear(std::memory_order_release);
  });
  std::thread second([] {
    while (busy.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    value = value + 1;
    busy.clear(std::memory_order_release);
  });
  first.join();
  second.join();
  return 0;
}
