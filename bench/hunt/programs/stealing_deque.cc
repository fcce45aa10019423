// sizes: 3
// The owner takes from the bottom without a lock as long as the deque is not empty. It looks at the top before it has
// lowered the bottom, so that the last item goes to a thief too.
#include <atomic>
#include <mutex>

#include "hunt.h"

constexpr int kItems = 3;
static std::atomic<int> top{0}, bottom{kItems};
static std::atomic<int> taken[kItems];
static std::mutex thieves;

static int pop() {
  const int seen = top, last = bottom - 1;
  if (seen > last) return -1;
  bottom = last;
  return last;
}

static int steal() {
  std::lock_guard lock(thieves);
  const int first = top;
  if (first >= bottom) return -1;
  top = first + 1;
  return first;
}

int main() {
  crowd(THREADS, [](int i) {
    for (int n = 0; n < (i == 0 ? kItems : 1); ++n)
      if (const int item = i == 0 ? pop() : steal(); item >= 0) EXPECT(++taken[item] == 1);
  });
}
