// snarl: kind=assert within=2000
// Peterson's lock with the two first lines in the wrong order: both may enter.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

static std::atomic<bool> wants[2];
static std::atomic<int> last;
static int inside;

static void enter(int self) {
  last = self;
  wants[self] = true;
  while (wants[1 - self] && last == self) {
  }
  ++inside;
  std::this_thread::sleep_for(std::chrono::milliseconds(1));  // long enough for anybody
  assert(inside == 1);
  --inside;
  wants[self] = false;
}

int main() {
  std::thread other(enter, 1);
  enter(0);
  other.join();
}
