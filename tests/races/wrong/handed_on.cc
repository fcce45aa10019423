// The reader learns of the data from a third thread, which read the flag without acquiring.
#include <atomic>
#include <mutex>
#include <thread>

int data;
std::atomic<bool> ready;
std::mutex lock;
bool told;

int main() {
  std::thread writer([] {
    data = 42;
    ready.store(true, std::memory_order_release);
  });
  std::thread messenger([] {
    if (!ready.load(std::memory_order_relaxed)) return;
    std::lock_guard guard(lock);
    told = true;
  });
  std::thread reader([] {
    std::unique_lock guard(lock);
    if (!told) return;
    guard.unlock();
    data = data + 1;
  });
  writer.join();
  messenger.join();
  reader.join();
  return 0;
}
