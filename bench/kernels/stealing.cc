// A pool of workers with a queue each, who steal from the others when their own is empty.
#include <atomic>
#include <deque>
#include <mutex>

#include "kernel.h"

namespace {

constexpr int kTasks = 1500, kWork = 100'000;
struct alignas(64) Worker {
  std::mutex mutex;
  std::deque<int> tasks;
} workers[kThreads];
std::atomic<uint64_t> done;

int take(Worker& from, bool steals) {
  std::lock_guard lock(from.mutex);
  if (from.tasks.empty()) return -1;
  const int task = steals ? from.tasks.front() : from.tasks.back();
  steals ? from.tasks.pop_front() : from.tasks.pop_back();
  return task;
}

int take_any(int me) {
  for (int i = 0; i < kThreads; ++i)
    if (const int task = take(workers[(me + i) % kThreads], i != 0); task >= 0) return task;
  return -1;
}

}  // namespace

int main() {
  for (int i = 0; i < kTasks * kThreads / 2; ++i)
    workers[i % 2].tasks.push_back(i);  // all the work is with two of them
  run_threads([](int me) {
    for (int task; (task = take_any(me)) >= 0;) {
      spin(static_cast<uint64_t>(task), kWork);
      done.fetch_add(1);
    }
  });
  return check(done, uint64_t{kTasks} * kThreads / 2);
}
