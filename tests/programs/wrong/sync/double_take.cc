// snarl: kind=assert depth=2 policy=random within=500 policy=pct:depth=2 within=2000 pattern=atomicity_violation pattern-hooks=double_take
// Two workers look which ticket is next and take it in a second step: both may take the same one.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int next = 0;
int taken[3];

int look() {
  std::lock_guard<std::mutex> lock(mutex);
  return next;
}

void take(int ticket) {
  std::lock_guard<std::mutex> lock(mutex);
  next = ticket + 1;
  assert(++taken[ticket] == 1);
}

void work() { take(look()); }

int main() {
  std::thread a(work);
  std::thread b(work);
  a.join();
  b.join();
}
