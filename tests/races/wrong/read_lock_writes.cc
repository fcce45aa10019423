// A reader of a read-write lock writes.
#include <shared_mutex>
#include <thread>

std::shared_mutex lock;
int hits;

int main() {
  std::thread first([] {
    std::shared_lock guard(lock);
    hits = hits + 1;
  });
  std::thread second([] {
    std::shared_lock guard(lock);
    hits = hits + 1;
  });
  first.join();
  second.join();
  return 0;
}
