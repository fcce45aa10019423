// snarl: kind=assert within=1000
// Waits for a plain (volatile) flag that is set before what it announces.
#include <cassert>
#include <thread>

static volatile bool ready;
static int value;

int main() {
  std::thread other([] {
    ready = true;
    value = 7;
  });
  while (!ready) {
  }
  assert(value == 7);
  other.join();
}
