// A relaxed counter beside a lock: what it orders too weakly, the lock orders.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex lock;
std::atomic<int> calls;
int value;

void add() {
  calls.fetch_add(1, std::memory_order_relaxed);
  std::lock_guard guard(lock);
  value = value + 1;
  calls.fetch_add(1, std::memory_order_relaxed);
}

int main() {
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  return calls.load(std::memory_order_relaxed) == 4 ? 0 : 1;
}
