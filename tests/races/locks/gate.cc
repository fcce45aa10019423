// Opposite orders, but a third lock lets only one thread in.
// finds: nothing
#include <mutex>
#include <thread>

std::mutex gate, here, there;
int value;

int main() {
  std::thread first([] {
    std::lock_guard alone(gate);
    std::lock_guard one(here);
    std::lock_guard two(there);
    ++value;
  });
  std::thread second([] {
    std::lock_guard alone(gate);
    std::lock_guard one(there);
    std::lock_guard two(here);
    ++value;
  });
  first.join();
  second.join();
  return 0;
}
