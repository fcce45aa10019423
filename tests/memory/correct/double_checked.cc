// snarl: correct
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Config {
  int size = 0;
};
static Config storage;
static std::atomic<Config*> config;
static std::mutex mutex;

static int size() {
  if (config.load(std::memory_order_acquire) == nullptr) {
    std::lock_guard lock(mutex);
    if (config.load(std::memory_order_relaxed) == nullptr) {
      storage.size = 7;
      config.store(&storage, std::memory_order_release);
    }
  }
  return config.load(std::memory_order_acquire)->size;
}

int main() {
  std::thread other([] { assert(size() == 7); });
  assert(size() == 7);
  other.join();
}
