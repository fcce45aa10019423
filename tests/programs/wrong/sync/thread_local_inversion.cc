// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000 pattern=abba
// Each thread takes its own thread-local lock and then the other's.
#include <atomic>
#include <barrier>
#include <mutex>
#include <thread>

struct Cache {
  int hits = 0;
  std::mutex lock;
};
thread_local Cache cache;
Cache* caches[2];
std::barrier<> both(2);

void steal(int me) {
  caches[me] = &cache;
  both.arrive_and_wait();
  {
    std::lock_guard mine(cache.lock);
    std::lock_guard theirs(caches[1 - me]->lock);
    ++cache.hits;
  }
  both.arrive_and_wait();
}

int main() {
  std::thread other(steal, 0);
  steal(1);
  other.join();
}
