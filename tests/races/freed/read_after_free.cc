// The lock orders the two threads, but the second one may come too late.
// kind: use_after_free
#include <mutex>
#include <thread>

struct Item {
  int value = 1;
};

std::mutex lock;
Item* item = new Item;
int sum;

int main() {
  std::thread first([] {
    std::lock_guard guard(lock);
    delete item;
  });
  std::thread second([] {
    std::lock_guard guard(lock);
    sum += item->value;
  });
  first.join();
  second.join();
  return 0;
}
