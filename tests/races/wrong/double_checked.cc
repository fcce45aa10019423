// The first check reads what the lock protects.
#include <mutex>
#include <thread>

std::mutex lock;
int* instance;
int made;

int main() {
  std::thread first([] {
    if (instance == nullptr) {
      std::lock_guard guard(lock);
      if (instance == nullptr) instance = &made;
    }
  });
  std::thread second([] {
    std::lock_guard guard(lock);
    if (instance == nullptr) instance = &made;
  });
  first.join();
  second.join();
  return 0;
}
