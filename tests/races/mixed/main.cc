// Items pass through the ring buffer. A relaxed counter beside it looks like a flag that publishes them.
#include <atomic>
#include <thread>

#include "ring.h"

int items[3];
std::atomic<int> given, taken;

int main() {
  std::thread producer([] {
    for (int& item : items) {
      item = 1;
      given.fetch_add(1, std::memory_order_relaxed);
      while (!push(&item)) std::this_thread::yield();
    }
  });
  int sum = 0;
  for (int* item = nullptr; sum < 3;) {
    if (given.load(std::memory_order_relaxed) == sum || !pop(item)) {
      std::this_thread::yield();
      continue;
    }
    sum += *item;
    *item = 0;
  }
  producer.join();
  return 0;
}
