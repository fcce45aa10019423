// Each thread has a once_flag of its own.
#include <mutex>
#include <thread>

int value;

void prepare(std::once_flag& once) {
  std::call_once(once, [] { value = value + 1; });
}

int main() {
  std::once_flag here, there;
  std::thread first([&] { prepare(here); });
  std::thread second([&] { prepare(there); });
  first.join();
  second.join();
  return 0;
}
