// snarl: correct
// A hand-made barrier of three threads with a generation, used twice, and notify_all.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kThreads = 3;
std::mutex mutex;
std::condition_variable released;
int arrived = 0;
int generation = 0;
int first_half = 0;
int second_half = 0;

void barrier(std::unique_lock<std::mutex>& lock) {
  int mine = generation;
  if (++arrived == kThreads) {
    arrived = 0;
    ++generation;
    released.notify_all();
    return;
  }
  released.wait(lock, [&] { return generation != mine; });
}

void work() {
  std::unique_lock<std::mutex> lock(mutex);
  ++first_half;
  barrier(lock);
  assert(first_half == kThreads);
  ++second_half;
  barrier(lock);
  assert(second_half == kThreads);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  assert(generation == 2);
}
