// sizes: 3 100
// Each withdrawal looks at the balance in one critical section and takes from it in the next. There is enough for all
// but the last, who is refused unless he looked too early.
#include <mutex>

#include "hunt.h"

static std::mutex mutex;
static int balance = 10 * (THREADS - 1);

static int current() {
  std::lock_guard lock(mutex);
  return balance;
}

static void withdraw(int amount) {
  if (current() < amount) return;
  std::lock_guard lock(mutex);
  balance -= amount;
  EXPECT(balance >= 0);
}

int main() {
  crowd(THREADS, [](int) { withdraw(10); });
}
