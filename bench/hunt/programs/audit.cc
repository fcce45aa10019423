// sizes: 20 100
// Transfers are atomic, but the audit locks one account after the other. A transfer that comes across it changes the
// sum.
#include <mutex>

#include "hunt.h"

struct Account {
  std::mutex mutex;
  int money = 100;
};
static Account accounts[THREADS];

static void transfer(int from, int to) {
  std::scoped_lock lock(accounts[from].mutex, accounts[to].mutex);
  accounts[from].money -= 10;
  accounts[to].money += 10;
}

static int audit() {
  int sum = 0;
  for (Account& account : accounts) {
    std::lock_guard lock(account.mutex);
    sum += account.money;
  }
  return sum;
}

int main() {
  crowd(THREADS, [](int i) {
    if (i == THREADS - 1) return EXPECT(audit() == 100 * THREADS);
    if (i < 2) transfer(0, THREADS - 1);
  });
}
