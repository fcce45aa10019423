// Two threads count without a lock.
#include <thread>

int counter;

int main() {
  std::thread first([] { counter = counter + 1; });
  std::thread second([] { counter = counter + 1; });
  first.join();
  second.join();
  return 0;
}
