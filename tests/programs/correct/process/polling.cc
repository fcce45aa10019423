// snarl: correct
// Threads that poll: by timed waits, by sleeping, by yielding, by reading the clock. All of them end.
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex mutex;
std::condition_variable changed;
bool done = false;
std::atomic<bool> flag = false;

void poll_by_waiting() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!done) changed.wait_for(lock, 1ms);
}

void poll_by_sleeping() {
  while (!flag) std::this_thread::sleep_for(10us);
}

void finish() {
  std::this_thread::sleep_for(1ms);
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
  }
  flag = true;
}

int main() {
  std::thread a(poll_by_waiting);
  std::thread b(poll_by_waiting);
  std::thread c(poll_by_sleeping);
  std::thread d(finish);
  while (!flag) std::this_thread::sleep_for(1us);
  const auto until = std::chrono::steady_clock::now() + 1ms;
  while (std::chrono::steady_clock::now() < until) std::this_thread::yield();
  a.join();
  b.join();
  c.join();
  d.join();
  assert(done);
}
