// A lock in inline assembly, beside a relaxed counter: the lock's order is not seen, so nothing is certain.
#include <atomic>
#include <thread>

int busy, value;
std::atomic<int> calls;

void add() {
  for (int taken = 1; taken != 0;) {
    __asm__ volatile("xchg %0, %1" : "+r"(taken), "+m"(busy) : : "memory");
    if (taken != 0) std::this_thread::yield();
  }
  calls.fetch_add(1, std::memory_order_relaxed);
  value = value + 1;
  calls.fetch_add(1, std::memory_order_relaxed);
  __asm__ volatile("movl $0, %0" : "=m"(busy) : : "memory");
}

int main() {
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  return value == 2 ? 0 : 1;
}
