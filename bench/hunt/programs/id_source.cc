// sizes: 3 100
// Ids are read and raised by two atomic operations. Most threads have a source of their own.
#include <atomic>

#include "hunt.h"

static std::atomic<int> sources[THREADS + 1];
static std::atomic<int> used[4];

static int next(std::atomic<int>& source) {
  const int id = source;
  source = id + 1;
  return id;
}

int main() {
  crowd(THREADS, [](int i) {
    const bool shares = i >= THREADS - 2;
    for (int n = 0; n < 2; ++n) {
      const int id = next(sources[shares ? THREADS : i]);
      if (shares) EXPECT(++used[id] == 1);
    }
  });
}
