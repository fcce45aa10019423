// snarl: correct
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> wants[2];
static std::atomic<int> last;
static int inside;

static void enter(int self) {
  wants[self] = true;
  last = self;
  while (wants[1 - self] && last == self) {
  }
  assert(++inside == 1);
  --inside;
  wants[self] = false;
}

int main() {
  std::thread other(enter, 1);
  enter(0);
  other.join();
}
