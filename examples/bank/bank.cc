// Two accounts, and two threads that move money between them.
#include <cstdio>
#include <mutex>
#include <thread>

struct Account {
  explicit Account(int money) : balance(money) {}

  std::mutex mutex;
  int balance;
};

Account checking(1000);
Account savings(1000);

constexpr int kTransfers = 3;

// Moves the money only if there is enough of it. Both accounts are locked meanwhile, so that
// nobody sees a transfer half done.
bool transfer(Account& from, Account& to, int amount) {
  std::lock_guard<std::mutex> lock_from(from.mutex);
  std::lock_guard<std::mutex> lock_to(to.mutex);
  if (from.balance < amount) return false;
  from.balance -= amount;
  to.balance += amount;
  return true;
}

void pay_in() {
  for (int i = 0; i < kTransfers; ++i) transfer(checking, savings, 100);
}

void pay_out() {
  for (int i = 0; i < kTransfers; ++i) transfer(savings, checking, 50);
}

int main() {
  std::thread saver(pay_in);
  std::thread spender(pay_out);
  saver.join();
  spender.join();
  std::printf("checking %d, savings %d\n", checking.balance, savings.balance);
  return checking.balance + savings.balance == 2000 ? 0 : 1;
}
