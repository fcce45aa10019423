// Threads share one element of an array.
#include <thread>

int slots[4];

void fill(int from, int to) {
  for (int i = from; i <= to; ++i) slots[i] = i;
}

int main() {
  std::thread first(fill, 0, 2), second(fill, 2, 3);
  first.join();
  second.join();
  return 0;
}
