// snarl: kind=signal signal=ABRT depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// The early return leaves a joinable std::thread behind: its destructor calls std::terminate.
#include <mutex>
#include <thread>

std::mutex mutex;
bool damaged = false;

void check() {
  std::lock_guard<std::mutex> lock(mutex);
  damaged = true;
}

bool load() {
  std::thread checker;
  {
    std::lock_guard<std::mutex> lock(mutex);
    checker = std::thread(check);
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (damaged) return false;
  }
  checker.join();
  return true;
}

int main() { return load() ? 0 : 1; }
