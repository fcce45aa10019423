// Each thread gives back what it finds; nobody takes it away from the other.
// kind: use_after_free
#include <cstdlib>
#include <mutex>
#include <thread>

std::mutex lock;
void* block = std::malloc(40);

void give_back() {
  lock.lock();
  void* mine = block;
  lock.unlock();
  std::free(mine);
  lock.lock();
  block = nullptr;
  lock.unlock();
}

int main() {
  std::thread first(give_back);
  std::thread second(give_back);
  first.join();
  second.join();
  return 0;
}
