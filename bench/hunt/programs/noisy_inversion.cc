// sizes: 20 100
// Two of the threads take two locks in different orders, once each. The others take and give back locks all the time.
#include <mutex>

#include "hunt.h"

static std::mutex locks[4];
static int counts[4];

static void both(std::mutex& first, std::mutex& second) {
  std::lock_guard outer(first);
  std::lock_guard inner(second);
}

static void one(int i) {
  std::lock_guard lock(locks[i]);
  ++counts[i];
}

int main() {
  crowd(THREADS, [](int i) {
    one(i % 4);
    if (i == 1) both(locks[0], locks[1]);
    if (i == THREADS - 1) both(locks[1], locks[0]);
    one((i + 1) % 4);
  });
}
