// What was written before a thread was created.
#include <thread>

int value;

int main() {
  value = 1;
  std::thread other([] { value = value + 1; });
  other.join();
  value = value + 1;
  return value == 3 ? 0 : 2;
}
