// The race is in one order of the two only.
#include <atomic>
#include <thread>

std::atomic<int> turn;
int data;

int main() {
  std::thread first([] {
    if (turn.fetch_add(1) == 1) data = 1;
    data = 2;
  });
  std::thread second([] {
    turn.fetch_add(1);
    if (turn.load() == 1) data = 3;
  });
  first.join();
  second.join();
  return 0;
}
