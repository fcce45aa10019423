// snarl: kind=assert within=1000
// A lock made of an atomic_flag, given back one line too early.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic_flag busy = ATOMIC_FLAG_INIT;
static int counter;

static void add() {
  while (busy.test_and_set()) {
  }
  const int seen = counter;
  busy.clear();
  counter = seen + 1;
}

int main() {
  std::thread other(add);
  add();
  other.join();
  assert(counter == 2);
}
