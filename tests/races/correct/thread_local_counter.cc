// Each thread has its own.
#include <thread>

thread_local int counter;

int main() {
  std::thread first([] { counter = counter + 1; });
  std::thread second([] { counter = counter + 1; });
  first.join();
  second.join();
  return 0;
}
