// sizes: 3
// An observer is called outside of the lock of its list, after it was removed and has ended.
#include <atomic>
#include <mutex>

#include "hunt.h"

struct Observer {
  std::atomic<bool> alive{true};
};
static std::mutex mutex;
static Observer observers[2];
static Observer* listed[2] = {&observers[0], &observers[1]};

static void notify(int i) {
  std::unique_lock lock(mutex);
  Observer* observer = listed[i];
  lock.unlock();
  if (observer != nullptr) EXPECT(observer->alive);
}

static void remove(int i) {
  std::unique_lock lock(mutex);
  listed[i] = nullptr;
  lock.unlock();
  observers[i].alive = false;
}

int main() {
  crowd(3, [](int i) {
    if (i == 2) return remove(0);
    notify(i);
    notify(1);
  });
}
