// snarl: correct
// std::latch, std::barrier, semaphores, atomic wait, jthread with a stop token: what goes by futex.
#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
#include <stop_token>
#include <thread>

std::latch started(2);
std::counting_semaphore<4> units(0);
std::binary_semaphore never(0);
std::atomic<int> ready = 0;
int completions = 0;
std::barrier phase(2, []() noexcept { ++completions; });
std::mutex mutex;
std::condition_variable_any changed;

void work(std::stop_token stop) {
  using namespace std::chrono_literals;
  started.arrive_and_wait();
  phase.arrive_and_wait();
  assert(completions == 1);
  ready.wait(0);
  assert(ready.load() == 5);
  units.acquire();
  units.acquire();
  const auto begin = std::chrono::steady_clock::now();
  assert(!never.try_acquire_for(1h));
  assert(std::chrono::steady_clock::now() - begin >= 1h);
  phase.arrive_and_drop();
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, stop, [] { return false; });
  assert(stop.stop_requested());
}

int main() {
  std::jthread worker(work);
  started.count_down();
  started.wait();
  assert(started.try_wait());
  phase.arrive_and_wait();
  ready.store(5);
  ready.notify_all();
  units.release(2);
  phase.arrive_and_wait();
  assert(completions == 2);
  assert(!units.try_acquire());
  assert(worker.request_stop());
}
