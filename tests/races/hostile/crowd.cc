// A thousand threads, two of which race.
#include <mutex>
#include <thread>
#include <vector>

std::mutex lock;
int counter;

void count(int me) {
  if (me == 500) {
    counter = counter + 1;
    return;
  }
  std::lock_guard guard(lock);
  counter = counter + 1;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 1000; ++i) threads.emplace_back(count, i);
  for (std::thread& thread : threads) thread.join();
  return 0;
}
