// Each thread has a lock of its own.
#include <mutex>
#include <thread>

std::mutex left, right;
int shared_value;

int main() {
  std::thread first([] {
    std::lock_guard guard(left);
    shared_value = 1;
  });
  std::thread second([] {
    std::lock_guard guard(right);
    shared_value = 2;
  });
  first.join();
  second.join();
  return 0;
}
