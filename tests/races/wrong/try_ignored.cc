// Nobody looks whether the lock was taken.
#include <mutex>
#include <thread>

std::mutex lock;
int value;

int main() {
  std::thread first([] {
    std::lock_guard guard(lock);
    value = value + 1;
  });
  std::thread second([] {
    const bool taken = lock.try_lock();
    value = value + 1;
    if (taken) lock.unlock();
  });
  first.join();
  second.join();
  return 0;
}
