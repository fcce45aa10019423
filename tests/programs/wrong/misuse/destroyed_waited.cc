// snarl: kind=destroy_waited depth=1 policy=random within=500 policy=pct:depth=2 within=2000 pattern=destroyed_in_use
// The queue goes away with its condition variable while the worker still waits for work: notify_one would
// have to come first. (In real life the destructor of the condition variable hangs.)
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

std::mutex lock;
bool more = true;

int main() {
  auto work = std::make_unique<std::condition_variable>();
  std::condition_variable* queue = work.get();
  std::thread worker([queue] {
    std::unique_lock<std::mutex> held(lock);
    if (more) queue->wait_for(held, std::chrono::seconds(1));
  });
  {
    std::lock_guard<std::mutex> held(lock);
    more = false;
  }
  work.reset();
  worker.join();
}
