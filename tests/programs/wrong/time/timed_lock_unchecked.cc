// snarl: kind=assert depth=2 policy=random within=500 policy=pct:depth=2 within=2000
// After half a second without the lock the thread goes on as if it had it.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex mutex;
std::mutex inner;
int balance = 0;

int read_balance() {
  std::lock_guard<std::mutex> lock(inner);
  return balance;
}

void add_one() {
  const bool locked = mutex.try_lock_for(std::chrono::milliseconds(500));
  const int old = read_balance();
  {
    std::lock_guard<std::mutex> lock(inner);
    balance = old + 1;
  }
  if (locked) mutex.unlock();
}

int main() {
  std::thread a(add_one);
  add_one();
  a.join();
  assert(balance == 2);
}
