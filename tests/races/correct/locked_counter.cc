// A lock around each.
#include <mutex>
#include <thread>

std::mutex lock;
int counter;

int main() {
  std::thread first([] {
    std::lock_guard guard(lock);
    ++counter;
  });
  std::thread second([] {
    std::lock_guard guard(lock);
    ++counter;
  });
  first.join();
  second.join();
  return 0;
}
