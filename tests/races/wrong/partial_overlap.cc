// Four bytes and one of them.
#include <thread>

union Both {
  unsigned word;
  unsigned char bytes[4];
};
volatile Both both;

int main() {
  std::thread first([] { both.word = 0x01020304; });
  std::thread second([] { both.bytes[2] = 9; });
  first.join();
  second.join();
  return 0;
}
