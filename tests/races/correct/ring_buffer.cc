// A ring buffer for one producer and one consumer.
#include <atomic>
#include <thread>

constexpr unsigned kSize = 2;
int slots[kSize];
std::atomic<unsigned> head, tail;

bool push(int value) {
  const unsigned at = tail.load(std::memory_order_relaxed);
  if (at - head.load(std::memory_order_acquire) == kSize) return false;
  slots[at % kSize] = value;
  tail.store(at + 1, std::memory_order_release);
  return true;
}

bool pop(int& value) {
  const unsigned at = head.load(std::memory_order_relaxed);
  if (at == tail.load(std::memory_order_acquire)) return false;
  value = slots[at % kSize];
  head.store(at + 1, std::memory_order_release);
  return true;
}

int main() {
  std::thread producer([] {
    for (int i = 1; i <= 3; ++i)
      while (!push(i)) std::this_thread::yield();
  });
  int sum = 0;
  for (int i = 1, value = 0; i <= 3; ++i) {
    while (!pop(value)) std::this_thread::yield();
    sum += value;
  }
  producer.join();
  return sum == 6 ? 0 : 1;
}
