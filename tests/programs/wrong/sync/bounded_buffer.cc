// snarl: kind=deadlock depth=4 policy=random within=500 policy=pct:depth=4 within=50000
// Producers and consumers share one condition variable and wake one waiter: a consumer may wake
// the other consumer, and the waiting producer sleeps for ever.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool full = false;

void put() {
  std::unique_lock<std::mutex> lock(mutex);
  while (full) changed.wait(lock);
  full = true;
  changed.notify_one();
}

void warm_up() {
  volatile int steps = 0;
  while (steps < 100000) steps = steps + 1;
}

void take() {
  warm_up();
  std::unique_lock<std::mutex> lock(mutex);
  while (!full) changed.wait(lock);
  full = false;
  changed.notify_one();
}

int main() {
  std::thread consumer_a(take);
  std::thread consumer_b(take);
  std::thread producer_a(put);
  std::thread producer_b(put);
  consumer_a.join();
  consumer_b.join();
  producer_a.join();
  producer_b.join();
}
