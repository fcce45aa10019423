// snarl: correct locks=own_locks.locks
// Every form of lock that can be described, used as it should be.
#include "../../own_locks.h"

#include <cassert>
#include <thread>

static spin_lock spin;
static reader_lock shared;
static int balance, total, failed;

static void work() {
  for (int i = 0; i < 2; ++i) {
    if (spin.try_lock()) {
      ++balance;
      spin.unlock();
    } else {
      spin.lock();
      ++balance;
      ++failed;
      spin.unlock();
    }
  }
  take(0, &shared);
  ++total;
  assert(give(7, &shared) == 7);
  shared.lock_shared();
  const int seen = total;
  std::this_thread::yield();
  assert(seen == total);  // nobody writes while somebody reads
  shared.unlock_shared();
  if (shared.try_shared() == 0) shared.unlock_shared();
}

int main() {
  std::thread a(work), b(work);
  work();
  a.join();
  b.join();
  assert(balance == 6);
  assert(total == 3);
}
