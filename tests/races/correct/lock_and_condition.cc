// The second thread waits under the lock until the first one has written.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex lock;
std::condition_variable changed;
int value;
bool written;

int main() {
  std::thread first([] {
    value = 1;
    std::lock_guard guard(lock);
    written = true;
    changed.notify_one();
  });
  std::thread second([] {
    {
      std::unique_lock guard(lock);
      changed.wait(guard, [] { return written; });
    }
    value = 2;
  });
  first.join();
  second.join();
  return 0;
}
