// snarl: correct
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
  int a, b;
  do {
    while (((before = sequence) & 1) != 0) {
    }
    a = x;
    b = y;
  } while (sequence != before);
  assert(a == b);
}

int main() {
  std::thread writer(publish, 1);
  consume();
  writer.join();
}
