#include <condition_variable>
#include <future>
#include <latch>
#include <map>
#include <mutex>
#include <queue>
#include <shared_mutex>
#include <thread>
#include <vector>
int main() {
  constexpr int kThreads = 40, kTasks = 400;
  std::mutex mutex;
  std::condition_variable changed;
  std::queue<std::packaged_task<int()>> tasks;
  std::shared_mutex table_mutex;
  std::map<int, int> table;
  std::latch all_started(kThreads);
  bool closed = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      all_started.count_down();
      for (;;) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return closed || !tasks.empty(); });
        if (tasks.empty()) return;
        auto task = std::move(tasks.front());
        tasks.pop();
        lock.unlock();
        task();
      }
    });
  all_started.wait();
  std::vector<std::future<int>> results;
  for (int i = 0; i < kTasks; ++i) {
    std::packaged_task<int()> task([&, i] {
      {
        std::unique_lock writer(table_mutex);
        table[i % 16] += i;
      }
      std::shared_lock reader(table_mutex);
      return static_cast<int>(table.count(i % 16));
    });
    results.push_back(task.get_future());
    std::lock_guard lock(mutex);
    tasks.push(std::move(task));
    changed.notify_one();
  }
  int found = 0;
  for (auto& result : results) found += result.get();
  {
    std::lock_guard lock(mutex);
    closed = true;
  }
  changed.notify_all();
  for (auto& thread : threads) thread.join();
  long sum = 0;
  for (auto& [key, value] : table) sum += value;
  return found != kTasks || sum != kTasks * (kTasks - 1) / 2;
}
