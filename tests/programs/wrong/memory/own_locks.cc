// snarl: kind=deadlock depth=2 policy=random within=300 policy=pct:depth=2 within=1000 locks=spin_lock.locks
// Two locks of the program's own, taken in both orders: as they are described, a deadlock and no endless loop.
#include "../../own_locks.h"

#include <thread>

static spin_lock first, second;

static void forwards() {
  first.lock();
  second.lock();
  second.unlock();
  first.unlock();
}

static void backwards() {
  second.lock();
  first.lock();
  first.unlock();
  second.unlock();
}

int main() {
  std::thread a(forwards), b(backwards);
  a.join();
  b.join();
}
