// sizes: 3 5
// Everybody takes the left fork first.
#include <mutex>

#include "hunt.h"

static std::mutex forks[THREADS];
static int meals[THREADS];

int main() {
  crowd(THREADS, [](int i) {
    std::lock_guard left(forks[i]);
    std::lock_guard right(forks[(i + 1) % THREADS]);
    ++meals[i];
  });
}
