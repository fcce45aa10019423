// snarl: correct
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int counter;

static void add() {
  std::lock_guard lock(mutex);
  ++counter;
}

int main() {
  std::thread other(add);
  add();
  other.join();
  assert(counter == 2);
}
