// sizes: 20
// Two locks are taken in both orders, which a third makes safe. One thread forgets the third.
#include <mutex>

#include "hunt.h"

static std::mutex gate, left, right;
static int count;

static void both(std::mutex& first, std::mutex& second) {
  std::lock_guard outer(first);
  std::lock_guard inner(second);
  ++count;
}

static void guarded(bool left_first) {
  std::lock_guard lock(gate);
  left_first ? both(left, right) : both(right, left);
}

int main() {
  crowd(THREADS, [](int i) { i == THREADS - 1 ? both(right, left) : guarded(i == 0); });
}
