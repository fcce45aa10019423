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
  return tbb::parallel_reduce(
      tbb::blocked_range<int>(0, 400, 20), 0L,
      [](const tbb::blocked_range<int>& r, long s) {
        for (int i = r.begin(); i != r.end(); ++i) s += i;
        return s;
      },
      std::plus<long>());
}
static bool tasks() {
  std::atomic<int> count{0};
  tbb::concurrent_queue<int> queue;
  tbb::concurrent_hash_map<int, int> map;
  tbb::task_group group;
  for (int i = 0; i < 6; ++i)
    group.run([&, i] {
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
