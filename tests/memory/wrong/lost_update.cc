// snarl: kind=assert within=500
// Two plain increments: each reads, adds and writes.
#include <cassert>
#include <thread>

static int counter;

int main() {
  std::thread other([] { ++counter; });
  ++counter;
  other.join();
  assert(counter == 2);
}
