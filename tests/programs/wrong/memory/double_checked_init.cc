// snarl: kind=assert depth=2 policy=random within=500 policy=pct:depth=2 within=2000 parallel
// Double-checked initialisation that raises its flag before the object is ready.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  int port;
};

std::mutex init_mutex;
std::mutex file_mutex;
std::atomic<bool> initialised{false};
std::atomic<Settings*> settings{nullptr};
Settings storage{0};

Settings* load() {
  std::lock_guard<std::mutex> lock(file_mutex);
  storage.port = 80;
  return &storage;
}

Settings* instance() {
  if (!initialised) {
    std::lock_guard<std::mutex> lock(init_mutex);
    if (!initialised) {
      initialised = true;
      settings = load();
    }
  }
  return settings;
}

void serve() {
  Settings* mine = instance();
  assert(mine != nullptr);
}

int main() {
  std::thread a(serve);
  std::thread b(serve);
  a.join();
  b.join();
}
