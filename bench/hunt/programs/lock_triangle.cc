// sizes: 20
// Three locks in a cycle; the other threads take two of them in the right order.
#include <mutex>

#include "hunt.h"

static std::mutex red, green, blue;
static int count;

static void both(std::mutex& first, std::mutex& second) {
  std::lock_guard outer(first);
  std::lock_guard inner(second);
  ++count;
}

int main() {
  crowd(THREADS, [](int i) {
    if (i == THREADS - 1) return both(blue, red);
    i % 2 == 0 ? both(red, green) : both(green, blue);
  });
}
