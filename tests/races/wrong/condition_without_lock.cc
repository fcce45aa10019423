// The condition is set without the lock.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex lock;
std::condition_variable changed;
bool ready;

int main() {
  std::thread waiter([] {
    std::unique_lock guard(lock);
    changed.wait_for(guard, std::chrono::milliseconds(1), [] { return ready; });
  });
  ready = true;
  changed.notify_all();
  waiter.join();
  return 0;
}
