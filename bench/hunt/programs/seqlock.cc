// sizes: 20
// The reader waits for an even number, but does not look whether it is the same at the end.
#include <atomic>

#include "hunt.h"

static std::atomic<unsigned> sequence;
static std::atomic<int> x, y;

static void move(int by) {
  ++sequence;
  x = x + by;
  y = y + by;
  ++sequence;
}

static void look() {
  const unsigned before = sequence;
  if (before % 2 != 0) return;
  const int left = x, right = y;
  EXPECT(left == right);
}

int main() {
  crowd(THREADS, [](int i) { i == 0 ? move(1) : look(); });
}
