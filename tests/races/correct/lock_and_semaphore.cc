// The lock orders the two writes by chance, and the semaphore always does.
#include <mutex>
#include <semaphore>
#include <thread>

std::mutex lock;
std::binary_semaphore written(0);
int value;

int main() {
  std::thread first([] {
    value = 1;
    { std::lock_guard guard(lock); }
    written.release();
  });
  std::thread second([] {
    written.acquire();
    { std::lock_guard guard(lock); }
    value = 2;
  });
  first.join();
  second.join();
  return 0;
}
