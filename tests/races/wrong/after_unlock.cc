// The last line stands below the lock.
#include <mutex>
#include <thread>

std::mutex lock;
int total;

int main() {
  std::thread first([] {
    {
      std::lock_guard guard(lock);
      total = 1;
    }
    total = 2;
  });
  std::thread second([] {
    std::lock_guard guard(lock);
    total = 3;
  });
  first.join();
  second.join();
  return 0;
}
