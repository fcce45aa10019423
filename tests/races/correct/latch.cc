// std::latch.
#include <latch>
#include <thread>

std::latch done(1);
int value;

int main() {
  std::thread other([] {
    value = 1;
    done.count_down();
  });
  done.wait();
  value = value + 1;
  other.join();
  return 0;
}
