// Opposite orders, but the second thread begins when the first one is done.
// finds: possible_deadlock
#include <atomic>
#include <mutex>
#include <thread>

std::mutex here, there;
std::atomic<bool> done;
int value;

int main() {
  std::thread first([] {
    {
      std::lock_guard one(here);
      std::lock_guard two(there);
      ++value;
    }
    done = true;
  });
  std::thread second([] {
    if (!done) return;
    std::lock_guard one(there);
    std::lock_guard two(here);
    ++value;
  });
  first.join();
  second.join();
  return 0;
}
