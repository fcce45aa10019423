// Blocks pass through the allocator from thread to thread. Nothing is wrong.
// kind: none
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

std::mutex lock;
std::vector<std::unique_ptr<int>> items;

void work() {
  for (int i = 0; i < 4; ++i) {
    auto mine = std::make_unique<int>(i);
    const std::lock_guard guard(lock);
    items.push_back(std::move(mine));
    if (items.size() > 2) items.clear();
  }
}

int main() {
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  return 0;
}
