// snarl: kind=deadlock depth=1 policy=random within=500 policy=pct:depth=2 within=2000 parallel cause=14+14<27 measured=1 pattern=wake_up_taken
// The gate is opened for two waiting threads with notify_one where notify_all is needed.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable opened;
bool open = false;
int passed = 0;

void pass() {
  std::unique_lock<std::mutex> lock(mutex);
  opened.wait(lock, [] { return open; });
  ++passed;
}

int main() {
  std::thread a;
  std::thread b;
  {
    std::lock_guard<std::mutex> lock(mutex);
    a = std::thread(pass);
    b = std::thread(pass);
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    open = true;
  }
  opened.notify_one();
  a.join();
  b.join();
  return passed == 2 ? 0 : 1;
}
