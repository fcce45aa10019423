// A thread reads the variable of the loop that made it.
#include <thread>
#include <vector>

int numbers[2];

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back([&i] { numbers[i & 1] = 1; });
  for (std::thread& thread : threads) thread.join();
  return 0;
}
