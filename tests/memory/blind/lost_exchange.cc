// A compare-exchange that fails falls back to a plain read and write of what the others count.
#include "blind.h"
std::atomic<int> word{0};
volatile int spare;
void step() {
  int seen = word.load();
  if (!word.compare_exchange_strong(seen, seen + 1)) spare = spare + 1;
}
int main() {
  run(step, [] {
    step();
    spare = spare + 1;
  });
  check(word + spare == 3);
}
