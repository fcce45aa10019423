// snarl: kind=assert depth=2 points=sync policy=random within=500 policy=pct:depth=2 within=2000
// (Without atomic points: with them, a lost wake-up in libstdc++ 12's own semaphore is found as well, a deadlock.)
// A semaphore used as a lock is released by a thread that did not get it: two are inside.
#include <cassert>
#include <mutex>
#include <semaphore>
#include <thread>

std::counting_semaphore<2> inside(1);
std::mutex mutex;
int count = 0;
int lines = 0;

void enter() {
  std::lock_guard<std::mutex> lock(mutex);
  ++count;
  assert(count == 1);
}

void write_lines(int count) {
  for (int i = 0; i < count; ++i) {
    std::lock_guard<std::mutex> lock(mutex);
    ++lines;
  }
}

void leave() {
  std::lock_guard<std::mutex> lock(mutex);
  --count;
}

void patient() {
  inside.acquire();
  enter();
  write_lines(4);
  leave();
  inside.release();
}

void impatient() {
  const bool got = inside.try_acquire();
  if (got) {
    enter();
    leave();
  }
  inside.release();
}

int main() {
  std::thread a(patient);
  std::thread b(impatient);
  patient();
  a.join();
  b.join();
}
