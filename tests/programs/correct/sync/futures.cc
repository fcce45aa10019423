// snarl: correct
// Promises, tasks, async and shared futures; a wait for a result that does not come times out.
#include <cassert>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::promise<int> promise, never;
  std::shared_future<int> result = promise.get_future().share();
  auto add_one = [result] { return result.get() + 1; };
  std::future<int> a = std::async(std::launch::async, add_one);
  std::packaged_task<int()> task(add_one);
  std::future<int> b = task.get_future();
  std::thread runner(std::move(task));
  std::future<int> thrown = std::async(std::launch::async, []() -> int { throw std::runtime_error("no"); });

  std::future<int> in_vain = never.get_future();
  const auto begin = std::chrono::steady_clock::now();
  assert(in_vain.wait_for(2h) == std::future_status::timeout);
  assert(std::chrono::steady_clock::now() - begin >= 2h);
  assert(in_vain.wait_until(std::chrono::system_clock::now() + 2h) == std::future_status::timeout);

  promise.set_value(41);
  while (a.wait_for(10s) != std::future_status::ready) {
  }
  assert(a.get() == 42 && b.get() == 42);
  bool caught = false;
  try {
    thrown.get();
  } catch (const std::runtime_error&) {
    caught = true;
  }
  assert(caught);
  runner.join();
}
