// snarl: kind=assert depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// Two readers relieve each other without a gap, so that a writer who does not come first never gets in: the lock
// prefers readers, and both work on long after they should have been told to stop.
#include <cassert>
#include <semaphore>
#include <shared_mutex>
#include <thread>

namespace {

std::shared_mutex table;
bool stop = false;
constexpr int kRounds = 10;
std::binary_semaphore turns[2] = {std::binary_semaphore(1), std::binary_semaphore(0)};

void keep_reading(int me) {
  for (int round = 0;; ++round) {
    turns[me].acquire();
    table.lock_shared();
    const bool stopped = stop;
    turns[1 - me].release();  // the other one locks ...
    if (!stopped) turns[me].acquire();
    table.unlock_shared();  // ... before this one unlocks
    if (stopped) return;
    assert(round < kRounds);
    turns[me].release();
  }
}

void tell_to_stop() {
  table.lock();
  stop = true;
  table.unlock();
}

}  // namespace

int main() {
  std::thread writer(tell_to_stop), a(keep_reading, 0), b(keep_reading, 1);
  a.join();
  b.join();
  writer.join();
}
