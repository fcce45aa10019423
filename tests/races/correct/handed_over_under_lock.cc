// The second thread writes only if it has seen under the lock that the first one is done.
#include <mutex>
#include <thread>

std::mutex lock;
int value;
bool done;

int main() {
  std::thread first([] {
    value = 1;
    std::lock_guard guard(lock);
    done = true;
  });
  std::thread second([] {
    bool may_write;
    {
      std::lock_guard guard(lock);
      may_write = done;
    }
    if (may_write) value = 2;
  });
  first.join();
  second.join();
  return 0;
}
