// sizes: 20 100
// Each thread moves something from its box to the next one. All lock the lower box first, but for one who locks in the
// order of the move.
#include <mutex>

#include "hunt.h"

static std::mutex boxes[THREADS];
static int content[THREADS];

static void move(int from, int to, bool ordered) {
  const int first = ordered && to < from ? to : from, second = first == from ? to : from;
  std::lock_guard outer(boxes[first]);
  std::lock_guard inner(boxes[second]);
  --content[from];
  ++content[to];
}

int main() {
  crowd(THREADS, [](int i) {
    move(i, (i + 1) % THREADS, true);
    if (i == THREADS / 2) move(i, i - 1, false);
  });
}
