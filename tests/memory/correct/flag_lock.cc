// snarl: correct
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic_flag busy = ATOMIC_FLAG_INIT;
static int counter;

static void add() {
  while (busy.test_and_set()) {
  }
  const int seen = counter;
  counter = seen + 1;
  busy.clear();
}

int main() {
  std::thread other(add);
  add();
  other.join();
  assert(counter == 2);
}
