// The write under the lock must come after the other thread's critical section: only a solver predicts that.
#include <mutex>
#include <thread>

std::mutex lock;
int value;

int main() {
  std::thread first([] {
    std::lock_guard guard(lock);
    value = 1;
  });
  std::thread second([] {
    { std::lock_guard guard(lock); }
    value = 2;
  });
  first.join();
  second.join();
  return 0;
}
