// One of two paths forgets the lock.
#include <mutex>
#include <thread>

std::mutex lock;
int balance;

int main() {
  std::thread first([] {
    std::lock_guard guard(lock);
    balance = balance + 1;
  });
  std::thread second([] { balance = 7; });
  first.join();
  second.join();
  return 0;
}
