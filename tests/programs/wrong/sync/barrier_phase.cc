// snarl: kind=assert depth=1 policy=random within=3000 policy=pct:depth=2 within=2000
// In the second phase the summing thread arrives at the barrier but does not wait for it.
#include <semaphore.h>
#include <time.h>

#include <barrier>
#include <cassert>
#include <mutex>
#include <thread>

std::barrier phase(2);
std::mutex mutex;
int halves[2];

void fill(int which) {
  std::lock_guard<std::mutex> lock(mutex);
  halves[which] = 1;
}

void other() {
  phase.arrive_and_wait();
  fill(1);
  phase.arrive_and_wait();
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
  std::thread thread(other);
  phase.arrive_and_wait();
  fill(0);
  wait_for_a_key();
  (void)phase.arrive();
  {
    std::lock_guard<std::mutex> lock(mutex);
    assert(halves[0] + halves[1] == 2);
  }
  thread.join();
}
