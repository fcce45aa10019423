// snarl: kind=assert within=2000
// A sequence lock whose reader does not look at the sequence again.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<unsigned> sequence;
static std::atomic<int> x, y;

static void publish(int value) {
  ++sequence;
  x = value;
  y = value;
  ++sequence;
}

static void consume() {
  unsigned before;
  while (((before = sequence) & 1) != 0) {
  }
  const int a = x, b = y;
  assert(a == b);
}

int main() {
  std::thread writer(publish, 1);
  consume();
  writer.join();
}
