// snarl: kind=deadlock depth=2 policy=random within=3000 policy=pct:depth=2 within=2000 parallel pattern=wake_up_taken
// Two conditions share a condition variable, and one waiter is woken: it may be the heartbeat, which
// only looks at its clock, instead of the printer.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool has_page = false;
bool stopping = false;

void print() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!has_page) changed.wait(lock);
}

void heartbeat() {
  std::unique_lock<std::mutex> lock(mutex);
  for (int beat = 0; beat < 3 && !stopping; ++beat) changed.wait_for(lock, std::chrono::seconds(1));
}

int main() {
  std::thread printer(print);
  std::thread beater(heartbeat);
  {
    std::lock_guard<std::mutex> lock(mutex);
    has_page = true;
    changed.notify_one();
  }
  printer.join();
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  beater.join();
}
