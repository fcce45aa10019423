// snarl: correct
// A lock made of an atomic flag, and what it guards.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag taken;
std::atomic<int> inside = 0;
int count = 0;

void lock() {
  while (taken.test_and_set()) __builtin_ia32_pause();
}

void work() {
  for (int i = 0; i < 2; ++i) {
    lock();
    assert(inside.fetch_add(1) == 0);
    ++count;
    inside.fetch_sub(1);
    taken.clear();
  }
}

int main() {
  std::thread a(work), b(work);
  work();
  a.join();
  b.join();
  assert(count == 6);
}
