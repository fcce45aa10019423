// sizes: 3
// A read-write lock made of two numbers: a writer looks for readers before it says that it is there.
#include <atomic>

#include "hunt.h"

static std::atomic<int> readers;
static std::atomic<bool> writing;
static std::atomic<int> value;

static void read() {
  if (writing) return;
  ++readers;
  const int first = value, second = value;
  EXPECT(first == second);
  --readers;
}

static void write() {
  if (readers != 0) return;
  writing = true;
  ++value;
  writing = false;
}

int main() {
  crowd(THREADS, [](int i) { i == 1 ? write() : read(); });
}
