// Abseil's mutex with conditions, notification, barrier and counter.
#include <absl/synchronization/barrier.h>
#include <absl/synchronization/blocking_counter.h>
#include <absl/synchronization/mutex.h>
#include <absl/synchronization/notification.h>

#include <cstdio>
#include <deque>
#include <thread>
#include <vector>

int main() {
  absl::Mutex mutex;
  absl::Notification begun;
  absl::BlockingCounter left(3);
  std::deque<int> queue;
  long sum = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      begun.WaitForNotification();
      for (int n = 0; n < 4; ++n) {
        const absl::MutexLock lock(&mutex);
        mutex.Await(absl::Condition(
            +[](std::deque<int>* q) { return !q->empty(); }, &queue));
        sum += queue.front();
        queue.pop_front();
      }
      left.DecrementCount();
    });
  begun.Notify();
  for (int n = 1; n <= 12; ++n) {
    const absl::MutexLock lock(&mutex);
    queue.push_back(n);
  }
  left.Wait();
  for (std::thread& thread : threads) thread.join();
  std::printf("%ld\n", sum);
  return sum != 78;
}
