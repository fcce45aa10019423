// snarl: correct
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> counter;
static std::atomic<unsigned char> narrow;

static void add() {
  counter.fetch_add(1, std::memory_order_relaxed);
  narrow.fetch_xor(1);
  int seen = counter.load();
  while (!counter.compare_exchange_weak(seen, seen + 1)) {
  }
}

int main() {
  std::thread other(add);
  add();
  other.join();
  assert(counter == 4 && narrow == 0);
}
