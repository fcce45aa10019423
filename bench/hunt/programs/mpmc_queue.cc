// sizes: 3 100
// A producer counts its item before it has stored it; a consumer that relies on the count finds the slot empty.
#include <atomic>

#include "hunt.h"

static std::atomic<int> slots[THREADS];
static std::atomic<int> in, out;

static void put(int item) { slots[in++] = item; }

static void take() {
  int at = out;
  do {
    if (at >= in) return;
  } while (!out.compare_exchange_weak(at, at + 1));
  EXPECT(slots[at] != 0);
}

int main() {
  crowd(THREADS, [](int i) { i % 3 == 0 ? put(i + 1) : take(); });
}
