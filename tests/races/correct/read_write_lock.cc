// Readers read, writers write.
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex lock;
int value;

int main() {
  std::thread first([] {
    std::unique_lock guard(lock);
    value = 1;
  });
  std::thread second([] {
    std::shared_lock guard(lock);
    (void)*static_cast<volatile int*>(&value);
  });
  first.join();
  second.join();
  return 0;
}
