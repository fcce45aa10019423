// snarl: kind=assert depth=3 policy=random within=500
// A lock made of an atomic flag looks at it first and sets it then, without looking at what it was: two are inside.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag taken;
std::atomic<int> inside = 0;

void lock() {
  while (taken.test()) std::this_thread::yield();
  taken.test_and_set();
}

void work() {
  lock();
  assert(inside.fetch_add(1) == 0);
  inside.fetch_sub(1);
  taken.clear();
}

int main() {
  std::thread other(work);
  work();
  other.join();
}
