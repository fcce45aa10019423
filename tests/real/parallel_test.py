"""Programs of many threads under ppct, on all cores: right results, no finding, no hang."""

import json
import unittest

from real_case import RealCase, SCHEDULES
import snarl_case

TBB = """
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>
#include <cstdio>
#include <functional>
#include <vector>
int main() {
  tbb::global_control four(tbb::global_control::max_allowed_parallelism, 4);
  tbb::task_arena arena(4);  // whatever the number of cores is
  return arena.execute([] {
  std::vector<long> v(20000);
  tbb::parallel_for(0, 20000, [&](int i) { v[i] = (i * 7919L) % 20000; for (volatile int j = 0; j < 200; j = j + 1); });
  tbb::parallel_sort(v.begin(), v.end());
  long sum = tbb::parallel_reduce(tbb::blocked_range<int>(0, 20000), 0L,
      [&](const auto& r, long s) { for (int i = r.begin(); i < r.end(); ++i) s += v[i]; return s; }, std::plus<>());
  long seen = 0;
  int next = 0;
  tbb::parallel_pipeline(4, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& c) {
        if (next == 200) c.stop(); return next++; }) &
      tbb::make_filter<int, int>(tbb::filter_mode::parallel, [](int i) { return 2 * i; }) &
      tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, [&](int i) { seen += i; }));
  std::printf("%ld %ld\\n", sum, seen);
  return sum != 199990000 || seen != 39800;
  });
}
"""

LEVELDB = """
#include <leveldb/db.h>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>
#include <unistd.h>
int main() {
  char folder[] = "ldbXXXXXX";
  if (mkdtemp(folder) == nullptr) return 9;
  leveldb::DB* db;
  leveldb::Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 8192;  // compacts in the background all the time
  if (!leveldb::DB::Open(options, folder, &db).ok()) return 2;
  std::vector<std::thread> writers;
  const auto key = [](int i, int k) { return "k" + std::to_string(i * 100 + k); };
  for (int i = 0; i < 4; ++i)
    writers.emplace_back([=] { for (int k = 0; k < 60; ++k) db->Put({}, key(i, k), std::string(50, 'a' + i)); });
  for (auto& writer : writers) writer.join();
  int wrong = 0;
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 60; ++k) {
      std::string value;
      wrong += !db->Get({}, key(i, k), &value).ok() || value != std::string(50, 'a' + i);
    }
  delete db;
  leveldb::DestroyDB(folder, options);
  rmdir(folder);
  return wrong;
}
"""

# 40 threads: a pool with a queue, futures, a reader-writer table and a countdown.
MANY = """
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
      { std::unique_lock writer(table_mutex); table[i % 16] += i; }
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
  { std::lock_guard lock(mutex); closed = true; }
  changed.notify_all();
  for (auto& thread : threads) thread.join();
  long sum = 0;
  for (auto& [key, value] : table) sum += value;
  return found != kTasks || sum != kTasks * (kTasks - 1) / 2;
}
"""


class ParallelTest(RealCase):
    def check(self, source, libraries, least_threads):
        (self.folder / "program.cc").write_text(source)
        snarl_case.run(["g++", "-std=c++20", "-O1", "-g", "program.cc", "-o", "program", *libraries, "-pthread"],
                                  cwd=self.folder, check=True, timeout=120)
        result = self.snarl("run", "-j", 1, "-p", "ppct:depth=1", "-p", "ppct:depth=3", "-n", 2 * SCHEDULES, "--timeout", "30s",
                            "--json", "--", "./program")
        self.assertEqual(result.code, 0, f"{result.command}\n{result.out[-3000:]}\n{result.err[-2000:]}")
        summary = json.loads(result.out)
        self.assertEqual((summary["findings"], summary["unconfirmed"]), ([], 0))
        self.assertEqual(summary["schedules"], 2 * SCHEDULES)
        self.assertGreaterEqual(summary["threads"], least_threads)
        print(f"{self._testMethodName[5:]:<12} ppct {summary['schedules'] / summary['seconds']:8.1f} schedules/s"
              f"  n={summary['threads']} k={summary['steps']}", flush=True)

    def test_tbb(self):
        self.check(TBB, ["-ltbb"], 4)

    def test_leveldb(self):
        self.check(LEVELDB, ["-lleveldb"], 5)

    def test_forty_threads(self):
        self.check(MANY, [], 40)


if __name__ == "__main__":
    unittest.main()
