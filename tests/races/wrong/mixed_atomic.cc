// A plain write beside atomic reads.
#include <thread>

int value;

int main() {
  std::thread first([] { (void)__atomic_load_n(&value, __ATOMIC_SEQ_CST); });
  std::thread second([] { value = 1; });
  first.join();
  second.join();
  return 0;
}
