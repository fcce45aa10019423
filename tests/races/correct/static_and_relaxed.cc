// A local static is made once, and a relaxed counter beside it orders nothing.
#include <atomic>
#include <thread>

std::atomic<int> calls;

struct Made {
  Made() : value(7) {}
  int value;
};
int get() {
  calls.fetch_add(1, std::memory_order_relaxed);
  static Made made;
  const int value = made.value;
  calls.fetch_add(1, std::memory_order_relaxed);
  return value;
}

int main() {
  std::thread first([] { (void)get(); });
  std::thread second([] { (void)get(); });
  first.join();
  second.join();
  return calls.load(std::memory_order_relaxed) == 4 ? 0 : 1;
}
