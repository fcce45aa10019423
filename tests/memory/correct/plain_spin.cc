// snarl: correct
#include <cassert>
#include <thread>

static volatile bool ready;
static int value;

int main() {
  std::thread other([] {
    value = 7;
    ready = true;
  });
  while (!ready) {
  }
  assert(value == 7);
  other.join();
}
