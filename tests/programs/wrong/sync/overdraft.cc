// snarl: kind=assert depth=2 policy=random within=500 policy=pct:depth=2 within=2000 parallel cause=12<16,18<16 measured=2 pattern=atomicity_violation
// The balance is checked and then changed under two separate holdings of the lock.
#include <cassert>
#include <mutex>
#include <thread>

class Account {
 public:
  int balance() {
    std::lock_guard<std::mutex> lock(mutex_);
    return balance_;
  }

  void withdraw(int amount) {
    if (balance() < amount) return;
    std::lock_guard<std::mutex> lock(mutex_);
    balance_ -= amount;
  }

 private:
  std::mutex mutex_;
  int balance_ = 1000;
};

int main() {
  Account account;
  std::thread a([&] { account.withdraw(500); });
  std::thread b([&] { account.withdraw(700); });
  a.join();
  b.join();
  assert(account.balance() >= 0);
}
