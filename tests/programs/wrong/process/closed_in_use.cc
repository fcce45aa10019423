// snarl: kind=signal signal=SEGV depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// Main takes "done" for the worker's last word and drops the journal that the worker still uses.
#include <condition_variable>
#include <mutex>
#include <thread>

struct Journal {
  int entries = 0;
  int lines = 0;
};

Journal storage;
Journal* volatile journal = &storage;
std::mutex mutex;
std::condition_variable finished;
bool done = false;

void work() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
    finished.notify_one();
  }
  journal->lines = 1;
}

void serve_meanwhile() {
  volatile int steps = 0;
  while (steps < 100000) steps = steps + 1;
}

int main() {
  std::thread worker(work);
  serve_meanwhile();
  {
    std::unique_lock<std::mutex> lock(mutex);
    while (!done) finished.wait(lock);
  }
  journal = nullptr;
  worker.join();
}
