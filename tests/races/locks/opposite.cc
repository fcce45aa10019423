// Two locks in opposite orders, far apart in time: chance hardly brings the two threads there together.
// finds: deadlock
#include <mutex>
#include <thread>

std::mutex here, there, other;
int value;

int main() {
  std::thread first([] {
    std::lock_guard one(here);
    std::lock_guard two(there);
    ++value;
  });
  std::thread second([] {
    for (int i = 0; i < 200; ++i) std::lock_guard guard(other);
    std::lock_guard one(there);
    std::lock_guard two(here);
    ++value;
  });
  first.join();
  second.join();
  return 0;
}
