// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000
// The flag is stored after the notification: a waiter that is woken in between sees the old value and
// sleeps again, for good.
#include <atomic>
#include <mutex>
#include <thread>

std::atomic<int> ready = 0;
std::mutex journal;
int value = 0;
int lines = 0;

void write_lines(int count) {
  for (int i = 0; i < count; ++i) {
    std::lock_guard<std::mutex> lock(journal);
    ++lines;
  }
}

int main() {
  std::thread worker([] {
    value = 42;
    ready.notify_one();
    write_lines(4);
    ready.store(1);
  });
  for (volatile int i = 0; i < 2000000;) i = i + 1;
  ready.wait(0);
  worker.join();
  return value == 42 ? 0 : 1;
}
