// A lock-free deque (Chase and Lev, SPAA'05) whose owner takes the last item without the compare-exchange: a thief that
// has looked at it already takes it, too. Run by points_test.py, built as it is and with snarl c++.
#include <gtest/gtest.h>
#include <snarl/snarl.h>

#include <atomic>
#include <thread>

class Deque {
 public:
  void push(int item) {
    const int at = bottom_.load(std::memory_order_relaxed);
    items_[at % 4] = item;
    bottom_.store(at + 1, std::memory_order_release);
  }
  int pop() {
    const int at = bottom_.load() - 1;
    bottom_.store(at);
    if (top_.load() <= at) return items_[at % 4];
    bottom_.store(at + 1);
    return 0;
  }
  int steal() {
    int at = top_.load();
    if (at >= bottom_.load()) return 0;
    const int item = items_[at % 4];
    return top_.compare_exchange_strong(at, at + 1) ? item : 0;
  }

 private:
  std::atomic<int> top_{0}, bottom_{0};
  int items_[4] = {};
};

SNARL_TEST(Deque, LastItem) {
  Deque deque;
  deque.push(1);
  int stolen = 0;
  std::thread thief([&] { stolen = deque.steal(); });
  const int taken = deque.pop();
  thief.join();
  EXPECT_LE(taken + stolen, 1);
}

// Only plain memory is shared: nothing but points at its accesses can come between.
SNARL_TEST(Plain, Counter) {
  volatile int count = 0;
  const auto add = [&] { count = count + 1; };
  std::thread a(add), b(add);
  a.join();
  b.join();
  EXPECT_EQ(count, 2);
}

// The second reader is a thread that few schedules let come in time.
SNARL_TEST(Plain, RareReader) {
  volatile int stage = 0, data = 0;
  std::thread writer([&] {
    stage = 1;
    data = 1;
    stage = 2;
  });
  std::thread other([&] { data = 2; });
  std::thread reader([&] {
    if (stage != 1) return;
    const int seen = data;
    EXPECT_EQ(seen, data);
  });
  writer.join();
  other.join();
  reader.join();
}

SNARL_TEST(Right, Counter) {
  std::atomic<int> count{0};
  std::thread a([&] { ++count; }), b([&] { ++count; });
  a.join();
  b.join();
  EXPECT_EQ(count, 2);
}
