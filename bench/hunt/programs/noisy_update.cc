// sizes: 20 100
// Two threads add to one variable. All others only add to their own, with the same code.
#include "hunt.h"

static volatile int counts[THREADS];

static void add(volatile int& count) { count = count + 1; }

int main() {
  crowd(THREADS, [](int i) {
    for (int n = 0; n < 3; ++n) add(counts[i]);
    if (i >= THREADS - 2) add(counts[0]);
  });
  EXPECT(counts[0] == 5);
}
