// A fill writes what is read.
#include <cstring>
#include <thread>
char buffer[64];
volatile char seen;

int main() {
  std::thread first([] { std::memset(buffer, 1, sizeof buffer); });
  std::thread second([] { seen = buffer[8]; });
  first.join();
  second.join();
  return 0;
}
