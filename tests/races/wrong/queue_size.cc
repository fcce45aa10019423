// One thread looks how long a queue is while another one adds to it.
#include <queue>
#include <thread>

std::queue<int> items;
bool was_empty;

int main() {
  std::thread first([] { items.push(1); });
  std::thread second([] { was_empty = items.empty(); });
  first.join();
  second.join();
  return 0;
}
