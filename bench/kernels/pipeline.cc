// A pipeline of four stages, two threads each, joined by bounded queues with condition variables.
#include <condition_variable>
#include <deque>
#include <mutex>

#include "kernel.h"

namespace {

constexpr int kItems = 6000, kWork = 25'000, kStages = 4;

class Queue {
 public:
  void put(uint64_t item) {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [this] { return items_.size() < 32; });
    items_.push_back(item);
    lock.unlock();
    has_item_.notify_one();
  }
  uint64_t take() {
    std::unique_lock lock(mutex_);
    has_item_.wait(lock, [this] { return !items_.empty(); });
    const uint64_t item = items_.front();
    items_.pop_front();
    lock.unlock();
    has_room_.notify_one();
    return item;
  }

 private:
  std::mutex mutex_;
  std::condition_variable has_item_, has_room_;
  std::deque<uint64_t> items_;
};

Queue queues[kStages + 1];

}  // namespace

int main() {
  uint64_t sums[2] = {};
  run_threads([&](int me) {
    const int stage = me / 2;
    for (int i = 0; i < kItems / 2; ++i) {
      const uint64_t item = stage == 0 ? static_cast<uint64_t>(i) : queues[stage].take();
      spin(item, kWork);
      if (stage + 1 < kStages)
        queues[stage + 1].put(item);
      else
        sums[me % 2] += item;
    }
  });
  uint64_t wanted = 0;
  for (int i = 0; i < kItems / 2; ++i) wanted += 2 * static_cast<uint64_t>(i);
  return check(sums[0] + sums[1], wanted);
}
