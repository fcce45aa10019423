// A container without a lock.
#include <thread>
#include <vector>

std::vector<int> items;

int main() {
  std::thread first([] { items.push_back(1); });
  std::thread second([] { items.push_back(2); });
  first.join();
  second.join();
  return 0;
}
