// snarl: correct
// Four threads race to one std::call_once, whose routine takes a lock itself.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

std::once_flag flag;
std::mutex mutex;
int runs = 0;
int value = 0;

void use() {
  std::call_once(flag, [] {
    std::lock_guard<std::mutex> lock(mutex);
    ++runs;
    value = 7;
  });
  assert(value == 7);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(use);
  for (std::thread& thread : threads) thread.join();
  assert(runs == 1);
}
