// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000 libcxx pattern=wake_up_taken
// "There is work" and "all work is done" share one condition variable, but only one waiter is
// woken: it may be an idle worker instead of main.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
int queued = 2;
int unfinished = 2;
bool stopping = false;

void run_task() {
  volatile int steps = 0;
  while (steps < 20000) steps = steps + 1;
}

void worker() {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    changed.wait(lock, [] { return queued > 0 || stopping; });
    if (queued == 0) return;
    --queued;
    lock.unlock();
    run_task();
    lock.lock();
    if (--unfinished == 0) changed.notify_one();
  }
}

int main() {
  std::thread a(worker);
  std::thread b(worker);
  {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return unfinished == 0; });
    stopping = true;
  }
  changed.notify_all();
  a.join();
  b.join();
}
