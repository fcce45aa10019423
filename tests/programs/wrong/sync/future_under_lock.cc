// snarl: kind=deadlock depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// Main waits for a result with the lock held that the one who computes it needs.
#include <semaphore.h>
#include <time.h>

#include <future>
#include <mutex>
#include <thread>

std::mutex settings;
int scale = 2;

void compute(std::promise<int>& result) {
  int factor = 0;
  {
    std::lock_guard<std::mutex> lock(settings);
    factor = scale;
  }
  result.set_value(21 * factor);
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
  std::promise<int> promise;
  std::future<int> result = promise.get_future();
  std::thread worker([&] { compute(promise); });
  wait_for_a_key();
  {
    std::lock_guard<std::mutex> lock(settings);
    scale = result.get();
  }
  worker.join();
}
