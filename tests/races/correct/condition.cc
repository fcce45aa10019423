// A condition variable with its lock.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex lock;
std::condition_variable changed;
bool ready;
int data;

int main() {
  std::thread waiter([] {
    std::unique_lock guard(lock);
    changed.wait(guard, [] { return ready; });
    data = data + 1;
  });
  {
    std::lock_guard guard(lock);
    data = 1;
    ready = true;
  }
  changed.notify_all();
  waiter.join();
  return data == 2 ? 0 : 2;
}
