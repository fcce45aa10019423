// snarl: kind=assert depth=2 policy=random within=500 policy=pct:depth=2 within=2000 cause=14<22,22<14 measured=2 pattern=atomicity_violation
// The lock is dropped between the two halves of a transfer: an audit in between sees money missing.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int checking = 100;
int savings = 0;

void add(int& account, int amount) {
  std::lock_guard<std::mutex> lock(mutex);
  account += amount;
}

void transfer() {
  add(checking, -30);
  add(savings, 30);
}

void audit() {
  std::lock_guard<std::mutex> lock(mutex);
  assert(checking + savings == 100);
}

int main() {
  std::thread mover(transfer);
  std::thread auditor(audit);
  mover.join();
  auditor.join();
}
