// A copy reads what is written.
#include <cstring>
#include <thread>
char source[64], target[64];

int main() {
  std::thread first([] { std::memcpy(target, source, sizeof target); });
  std::thread second([] { source[40] = 1; });
  first.join();
  second.join();
  return 0;
}
