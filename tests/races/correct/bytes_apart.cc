// Neighbours are no overlap.
#include <thread>

char bytes[8];

int main() {
  std::thread first([] { bytes[3] = 1; });
  std::thread second([] { bytes[4] = 2; });
  first.join();
  second.join();
  return 0;
}
