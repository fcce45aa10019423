// Neighbours in one word.
#include <thread>

struct Bits {
  unsigned left : 3;
  unsigned right : 5;
};
volatile Bits bits;

int main() {
  std::thread first([] { bits.left = 1; });
  std::thread second([] { bits.right = 2; });
  first.join();
  second.join();
  return 0;
}
