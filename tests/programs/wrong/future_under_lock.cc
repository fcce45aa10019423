// snarl: kind=deadlock depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// Main waits for a result with the lock held that the one who computes it needs.
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

int main() {
  std::promise<int> promise;
  std::future<int> result = promise.get_future();
  std::thread worker([&] { compute(promise); });
  for (volatile int i = 0; i < 400000;) i = i + 1;
  {
    std::lock_guard<std::mutex> lock(settings);
    scale = result.get();
  }
  worker.join();
}
