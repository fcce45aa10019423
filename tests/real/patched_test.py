"""Unmodified programs whose atomic instructions are points: libraries with many of them, and allocators of their own.

Each checks its own results, under every schedule.
"""

import unittest

from real_case import RealCase

TBB = """
#include <tbb/blocked_range.h>
#include <tbb/concurrent_hash_map.h>
#include <tbb/concurrent_queue.h>
#include <tbb/global_control.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <atomic>
#include <functional>
static long sum() {
  return tbb::parallel_reduce(tbb::blocked_range<int>(0, 400, 20), 0L,
      [](const tbb::blocked_range<int>& r, long s) { for (int i = r.begin(); i != r.end(); ++i) s += i; return s; },
      std::plus<long>());
}
static bool tasks() {
  std::atomic<int> count{0};
  tbb::concurrent_queue<int> queue;
  tbb::concurrent_hash_map<int, int> map;
  tbb::task_group group;
  for (int i = 0; i < 6; ++i) group.run([&, i] {
    queue.push(i), ++count;
    tbb::concurrent_hash_map<int, int>::accessor at;
    map.insert(at, i % 2);
    at->second += i;
  });
  group.wait();
  int total = 0;
  for (int i; queue.try_pop(i);) total += i;
  tbb::concurrent_hash_map<int, int>::const_accessor even;
  return count == 6 && total == 15 && map.find(even, 0) && even->second == 6;
}
int main() {
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 4);
  return tbb::task_arena(4).execute([] { return sum() == 79800 && tasks(); }) ? 0 : 1;
}
"""

JEMALLOC = """
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>
extern "C" int mallctl(const char*, void*, size_t*, void*, size_t);
static std::atomic<long> sum{0};
static std::atomic<std::string*> handed{nullptr};
static void work(int n) {
  for (int i = 0; i < 30; ++i) {
    auto made = std::make_unique<std::string>(static_cast<size_t>(i * 37 % 500 + 1), static_cast<char>('a' + n));
    std::unique_ptr<std::string> others(handed.exchange(made.release()));  // freed by another than made it
    if (others) sum += static_cast<long>(others->size());
  }
}
int main() {
  const char* version = nullptr;
  size_t size = sizeof version;
  if (mallctl("version", &version, &size, nullptr, 0) != 0) return 2;
  std::vector<std::thread> threads;
  for (int n = 0; n < 3; ++n) threads.emplace_back(work, n);
  for (std::thread& thread : threads) thread.join();
  std::unique_ptr<std::string> last(handed.exchange(nullptr));
  long expected = 0;
  for (int i = 0; i < 30; ++i) expected += 3 * (i * 37 % 500 + 1);
  return sum + static_cast<long>(last->size()) != expected;
}
"""


class RealPatched(RealCase):

    def check(self, text, *libraries, options=()):
        (self.folder / "program.cc").write_text(text)
        self.native("g++", "-O2", "program.cc", "-o", "program", "-pthread", *libraries)
        self.native("./program")
        self.expect_patched(self.explore(["./program"], 4, options))

    def test_tbb(self):
        """Its workers also wait in loops of plain loads, without any point: these are stopped after a slice."""
        self.check(TBB, "-ltbb", options=("--slice", "5ms"))

    def test_jemalloc(self):
        self.check(JEMALLOC, "-l:libjemalloc.so.2")


if __name__ == "__main__":
    unittest.main(verbosity=1)
