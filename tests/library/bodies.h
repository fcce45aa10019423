// Small bodies that the library's tests explore.
#pragma once

#include <mutex>
#include <thread>

// Reads and writes under the lock, but not both at once.
class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}
  int balance() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return balance_;
  }
  void withdraw(int amount) {
    if (balance() < amount) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    balance_ -= amount;
  }

 private:
  std::mutex mutex_;
  int balance_;
};

// The balance when two have tried to take more than there is.
inline int withdraw_twice() {
  Account account(1000);
  std::thread a([&] { account.withdraw(500); });
  std::thread b([&] { account.withdraw(700); });
  a.join();
  b.join();
  return account.balance();
}

// Two threads, each under the lock twice: nothing is wrong with it, and it leaves nothing behind.
inline int add_twice() {
  std::mutex mutex;
  int total = 0;
  auto add = [&] {
    for (int i = 0; i < 2; ++i) {
      const std::lock_guard<std::mutex> lock(mutex);
      ++total;
    }
  };
  std::thread a(add), b(add);
  a.join();
  b.join();
  return total;
}

inline void deadlock() {
  std::mutex first, second;
  std::thread a([&] {
    std::lock_guard<std::mutex> f(first);
    std::lock_guard<std::mutex> s(second);
  });
  std::thread b([&] {
    std::lock_guard<std::mutex> s(second);
    std::lock_guard<std::mutex> f(first);
  });
  a.join();
  b.join();
}
