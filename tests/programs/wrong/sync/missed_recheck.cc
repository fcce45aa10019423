// snarl: kind=assert depth=2 policy=random within=500 policy=pct:depth=2 within=2000
// The table is made when nobody has made it yet; the test is outside of the lock, and not repeated inside.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
std::mutex log_mutex;
std::atomic<int> made = 0;
int log_lines = 0;

void write_log() {
  std::lock_guard<std::mutex> lock(log_mutex);
  ++log_lines;
}

void make() {
  if (made != 0) return;
  write_log();
  std::lock_guard<std::mutex> lock(mutex);
  assert(made.exchange(1) == 0);
}

int main() {
  std::thread a(make);
  std::thread b(make);
  a.join();
  b.join();
}
