// snarl: kind=assert within=1000
// Double-checked locking that publishes the object before it is complete.
#include <cassert>
#include <mutex>
#include <thread>

struct Config {
  int size = 0;
};
static Config storage;
static Config* volatile config;
static std::mutex mutex;

static int size() {
  if (config == nullptr) {
    std::lock_guard lock(mutex);
    if (config == nullptr) {
      config = &storage;
      storage.size = 7;
    }
  }
  return config->size;
}

int main() {
  std::thread other([] { assert(size() == 7); });
  assert(size() == 7);
  other.join();
}
