// snarl: correct layers_differ
// What threads do depends on where their stacks, handles and heap blocks lie: such a run repeats too.
#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::atomic<int> rounds = 0;

void work(int depth) {
  int local = 0;
  const auto block = std::make_unique<int[]>(100);
  const auto mixed = reinterpret_cast<uintptr_t>(&local) ^ reinterpret_cast<uintptr_t>(block.get()) ^ pthread_self();
  for (size_t i = std::hash<std::thread::id>()(std::this_thread::get_id()) % 4; i > 0; --i) ++rounds;
  for (size_t i = mixed / 64 % 5; i > 0; --i) std::lock_guard<std::mutex>{mutex};
  if (depth > 0) std::thread(work, depth - 1).join();
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(work, 1);
  for (std::thread& thread : threads) thread.join();
}
