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
    tbb::parallel_for(0, 20000, [&](int i) {
      v[i] = (i * 7919L) % 20000;
      for (volatile int j = 0; j < 200; j = j + 1)
        ;
    });
    tbb::parallel_sort(v.begin(), v.end());
    long sum = tbb::parallel_reduce(
        tbb::blocked_range<int>(0, 20000), 0L,
        [&](const auto& r, long s) {
          for (int i = r.begin(); i < r.end(); ++i) s += v[i];
          return s;
        },
        std::plus<>());
    long seen = 0;
    int next = 0;
    tbb::parallel_pipeline(
        4, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& c) {
             if (next == 200) c.stop();
             return next++;
           }) & tbb::make_filter<int, int>(tbb::filter_mode::parallel, [](int i) {
             return 2 * i;
           }) & tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, [&](int i) { seen += i; }));
    std::printf("%ld %ld\n", sum, seen);
    return sum != 199990000 || seen != 39800;
  });
}
