// Where the first thread takes the lock first, it orders the two writes by chance.
#include <mutex>
#include <thread>

std::mutex lock;
int value;

int main() {
  std::thread first([] {
    value = 1;
    std::lock_guard guard(lock);
  });
  std::thread second([] {
    { std::lock_guard guard(lock); }
    value = 2;
  });
  first.join();
  second.join();
  return 0;
}
