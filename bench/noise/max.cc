// Max (220 lines): two threads keep the largest number; the test and the update are two accesses.
#include "shared.h"

static Shared<int> largest;
static Way<4> numbers;
static Way<2> report;

static NOISE_INLINE void offer(int number) {
  if (number > largest.get()) largest.set(number);
}

int main() {
  run_beside(
      [] {
        offer(7);
        report.walk();
      },
      [] {
        numbers.walk();
        offer(9);
      });
  require(largest.get() == 9, "the largest was overwritten");
}
