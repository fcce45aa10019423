// snarl: kind=deadlock depth=1 policy=random within=500 policy=pct:depth=2 within=2000 parallel
// A worker that is told to stop before it begins returns without counting down.
#include <semaphore.h>
#include <time.h>

#include <latch>
#include <mutex>
#include <thread>

std::latch ready(2);
std::mutex mutex;
bool stopping = false;
int started = 0;

void work() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (stopping) return;
    ++started;
  }
  ready.count_down();
}

// For a second without snarl; with it, for as long as the policy likes.
void wait_for_a_key() {
  sem_t pressed;
  timespec until;
  sem_init(&pressed, 0, 0);
  clock_gettime(CLOCK_REALTIME, &until);
  ++until.tv_sec;
  sem_timedwait(&pressed, &until);
}

int main() {
  std::thread a(work);
  std::thread b(work);
  wait_for_a_key();
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  ready.wait();
  a.join();
  b.join();
}
