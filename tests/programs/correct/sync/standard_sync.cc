// snarl: correct libcxx
// What both standard libraries have of C++20's and older primitives: latch, barrier, semaphore, atomic
// wait, promise and packaged task, shared and timed mutexes, condition_variable_any.
#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

namespace {

std::latch started(3);
std::barrier phase(3);
std::counting_semaphore<2> slots(2);
std::atomic<int> inside = 0;
std::atomic<bool> open = false;
std::shared_timed_mutex table;
std::timed_mutex late;
std::recursive_mutex nested;
std::condition_variable_any changed;
int entries = 0;

void work(int number) {
  started.arrive_and_wait();
  open.wait(false);
  slots.acquire();
  assert(++inside <= 2);
  --inside;
  slots.release();
  phase.arrive_and_wait();
  {
    std::unique_lock lock(table, std::defer_lock);
    while (!lock.try_lock_for(1h)) {
    }
    entries += number;
    changed.notify_all();
  }
  std::scoped_lock both(nested, late);
  std::lock_guard again(nested);
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 1; i <= 2; ++i) threads.emplace_back(work, i);
  started.arrive_and_wait();
  open = true;
  open.notify_all();
  phase.arrive_and_wait();
  {
    std::shared_lock lock(table);
    changed.wait(lock, [] { return entries == 3; });
  }
  for (std::thread& thread : threads) thread.join();

  std::promise<int> promise;
  std::shared_future<int> value = promise.get_future().share();
  std::packaged_task<int()> task([value] { return value.get() + 1; });
  std::future<int> result = task.get_future();
  std::thread worker(std::move(task));
  while (result.wait_for(1ms) == std::future_status::timeout && !value.valid()) {
  }
  promise.set_value(41);
  assert(result.get() == 42);
  worker.join();
}
